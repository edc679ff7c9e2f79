/** A file's text, put into the bundle by Vite (and by Vitest, which runs the sources through Vite). */
declare module '*.proto?raw' {
  const text: string;
  export default text;
}
