export function StatusBar() {
  return null;
}
