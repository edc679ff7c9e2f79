export function CaptureBar() {
  return null;
}
