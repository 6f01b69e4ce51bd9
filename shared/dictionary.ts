/** A dictionary (RFC 9651), limited to the types that our headers use. */
export type Dictionary = Readonly<Record<string, number | boolean | string>>;

const MEMBER =
  /([a-z*][a-z0-9_.*-]*)(?:=(?:(-?\d{1,15})|\?([01])|"((?:[ !#-[\]-~]|\\["\\])*)"|%"((?:[ !#$&-~]|%[0-9a-f]{2})*)"))?(?:[ \t]*,[ \t]*(?=[a-z*])| *$)/y;

const PLAIN = /^[ -~]*$/;

function writeText(text: string): string {
  if (PLAIN.test(text)) return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  const whole = text.replaceAll(/\p{Cs}/gu, "\u{fffd}");
  const escape = (character: string) => encodeURIComponent(character).toLowerCase();
  return `%"${whole.replaceAll(/[^ -~]|["%]/gu, escape)}"`;
}

function writeValue(value: number | boolean | string): string {
  if (typeof value === "boolean") return value ? "?1" : "?0";
  return typeof value === "number" ? String(value) : writeText(value);
}

/** `used=12, host="example.com"`. Numbers must be whole. */
export const writeDictionary = (dictionary: Dictionary): string =>
  Object.entries(dictionary)
    .map(([name, value]) => `${name}=${writeValue(value)}`)
    .join(", ");

export function readDictionary(text: string): Dictionary | undefined {
  const members: [string, number | boolean | string][] = [];
  for (let at = 0; at < text.length; at = MEMBER.lastIndex) {
    MEMBER.lastIndex = at;
    const [, name, whole, flag, plain, display] = MEMBER.exec(text) ?? [];
    if (name === undefined) return undefined;
    if (whole !== undefined) members.push([name, Number(whole)]);
    else if (plain !== undefined) members.push([name, plain.replaceAll(/\\(.)/g, "$1")]);
    else if (display === undefined) members.push([name, flag !== "0"]);
    else
      try {
        members.push([name, decodeURIComponent(display)]);
      } catch {
        return undefined;
      }
  }
  return Object.fromEntries(members);
}

/** The keys are names in programs: `maxBytes` is `max_bytes` in the header. */
export type MemberKinds = Readonly<Record<string, "integer" | "string">>;

/** RFC 9651 allows lowercase letters only. */
export const memberName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function writeMembers(
  kinds: MemberKinds,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  const members: Record<string, number | string> = {};
  for (const name of Object.keys(kinds)) {
    const value = values[name];
    if (typeof value === "number" || typeof value === "string") members[memberName(name)] = value;
  }
  return Object.keys(members).length === 0 ? undefined : writeDictionary(members);
}

export function readMembers(
  kinds: MemberKinds,
  header = "",
): Readonly<Record<string, number | string>> | undefined {
  const members = readDictionary(header) ?? {};
  const read: Record<string, number | string> = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const value = members[memberName(name)];
    if (typeof value === "boolean" || value === undefined) return undefined;
    if (typeof value !== (kind === "integer" ? "number" : "string")) return undefined;
    read[name] = value;
  }
  return read;
}
