export function WindowsView() {
  return null;
}
