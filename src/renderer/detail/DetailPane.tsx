/** The selected frame, taken apart. */
export function DetailPane() {
  return null;
}
