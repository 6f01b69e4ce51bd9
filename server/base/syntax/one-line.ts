const UNSAFE_RUN = /[\s\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu;

/** Characters that most texts lack: most have only printable Latin characters and single spaces. */
const UNUSUAL = /[^ -~¡-ÿ]|^ | $| {2}/;

/** One line of text: control and bidirectional characters stripped, white space folded, cut with … at `maxLength`. */
export function oneLine(text: string, maxLength: number): string {
  const line = UNUSUAL.test(text) ? foldUnsafe(text, maxLength) : text;
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(/\p{Cs}$/u, "")}…`;
}

/** Stops once more than `maxLength` characters are sure to be left of it, since texts of strangers are long. */
function foldUnsafe(text: string, maxLength: number): string {
  let line = "";
  let read = 0;
  for (const { 0: run, index } of text.matchAll(UNSAFE_RUN)) {
    line += text.slice(read, index) + (/\s/.test(run) ? " " : "");
    read = index + run.length;
    // A space at either end is trimmed.
    if (line.length > maxLength + 2) return line.trim();
  }
  return (line + text.slice(read)).trim();
}

/** The same value with every text in it on one line (`oneLine`). */
export function oneLineEach<T>(value: T, maxLength: number): T;
export function oneLineEach(value: unknown, maxLength: number): unknown {
  if (typeof value === "string") return oneLine(value, maxLength);
  if (Array.isArray(value)) return value.map((item: unknown) => oneLineEach(item, maxLength));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, oneLineEach(item, maxLength)]),
  );
}
