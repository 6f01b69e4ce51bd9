const MAX_LINES = 1000;

/**
 * Whether a `/.well-known/shipscore.txt` says `scan: no`: lines of a key and a value, in any case, with comments after
 * `#`; other keys are ignored.
 */
export function refusesScans(text: string): boolean {
  const lines = text.split(/[\r\n]/, MAX_LINES);
  return lines.some((line) => {
    const [content = ""] = line.split("#", 1);
    const [key = "", ...value] = content.split(":");
    return key.trim().toLowerCase() === "scan" && value.join(":").trim().toLowerCase() === "no";
  });
}
