import './app.css';

/** The window has nothing behind it: why, and what to do. */
export function Broken({ title, message }: { title: string; message: string }) {
  return (
    <main className="broken" role="alert">
      <h1>{title}</h1>
      <p>{message}</p>
    </main>
  );
}
