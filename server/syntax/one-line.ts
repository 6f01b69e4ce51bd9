const UNSAFE_RUN = /[\s\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu;

/** One line of text: control and bidirectional characters stripped, white space folded, cut with … at `maxLength`. */
export function oneLine(text: string, maxLength: number): string {
  const line = text.replace(UNSAFE_RUN, (run) => (/\s/.test(run) ? " " : "")).trim();
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(/\p{Cs}$/u, "")}…`;
}
