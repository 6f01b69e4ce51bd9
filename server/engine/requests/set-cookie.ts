import { oneLine } from "../../base/syntax/one-line.ts";
import { parseSetCookie } from "../../base/syntax/set-cookie.ts";

/** A Set-Cookie line without its value; undefined for one that browsers ignore. */
export function keepCookie(line: string): string | undefined {
  const cookie = parseSetCookie(line);
  if (!cookie) return undefined;
  const masked = cookie.value && "***";
  const isNamed = line.split(";", 1)[0]?.includes("=");
  const shown = isNamed ? `${oneLine(cookie.name, 128)}=${masked}` : masked;
  return [shown, ...cookie.written.map((attribute) => oneLine(attribute, 256))].join("; ");
}
