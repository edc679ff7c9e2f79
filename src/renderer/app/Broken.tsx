import './app.css';

/** The window has lost the program behind it. */
export function Broken({ message }: { message: string }) {
  return (
    <main className="broken" role="alert">
      <h1>Nothing to show</h1>
      <p>{message}</p>
    </main>
  );
}
