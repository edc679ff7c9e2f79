/** What an engine takes for an object, an element of an array, a character, an entry of a Map; rough, on the high side. */
const OBJECT = 24;
const SLOT = 8;
const ENTRY = 40;

/**
 * Octets that everything reachable from `root` takes, as an estimate that does not depend on the garbage collector:
 * typed arrays by their buffers, each once; text by its length, equal texts once.
 */
export function octetsHeld(root: object): number {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [root];
  let octets = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (value === null || value === undefined) continue;
    if (typeof value === 'string') {
      if (!seen.has(value)) octets += OBJECT + value.length;
      seen.add(value);
      continue;
    }
    if (typeof value !== 'object' || seen.has(value)) continue;
    seen.add(value);
    octets += OBJECT;
    if (ArrayBuffer.isView(value)) {
      if (!seen.has(value.buffer)) octets += value.buffer.byteLength + 4 * OBJECT;
      seen.add(value.buffer);
    } else if (Array.isArray(value)) {
      octets += SLOT * value.length;
      for (const element of value) if (typeof element !== 'number') waiting.push(element);
    } else if (value instanceof Map) {
      octets += ENTRY * value.size;
      for (const [key, element] of value) waiting.push(key, element);
    } else if (value instanceof Set) {
      octets += ENTRY * value.size;
      waiting.push(...value);
    } else {
      const members = Object.values(value);
      octets += SLOT * members.length;
      waiting.push(...members);
    }
  }
  return octets;
}
