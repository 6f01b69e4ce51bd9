/** The failure function of the needle (Knuth, Morris and Pratt). */
function fallbacks(needle: string): Int32Array {
  const lengths = new Int32Array(needle.length);
  for (let index = 1, length = 0; index < needle.length; index++) {
    while (length > 0 && needle[index] !== needle[length]) length = lengths[length - 1] ?? 0;
    if (needle[index] === needle[length]) length += 1;
    lengths[index] = length;
  }
  return lengths;
}

/** `text.indexOf(needle, from)` in linear time: the engine's own takes their product in the worst case. */
export function findFrom(text: string, needle: string, from = 0): number {
  if (needle.length > text.length - from) return -1;
  const lengths = fallbacks(needle);
  let length = 0;
  for (let index = from; length < needle.length; index++) {
    if (index === text.length) return -1;
    while (length > 0 && text[index] !== needle[length]) length = lengths[length - 1] ?? 0;
    if (text[index] === needle[length]) length += 1;
    if (length === needle.length) return index + 1 - length;
  }
  return from;
}
