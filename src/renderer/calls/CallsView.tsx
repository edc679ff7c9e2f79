export function CallsView() {
  return null;
}
