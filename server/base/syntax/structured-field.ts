/** Structured Field Values (RFC 9651, 3.1 and 3.2): each sticky pattern reads one part. */
const KEY = /[a-z*][a-z0-9_.*-]*/y;
const BARE_ITEM =
  /"(?:[ !#-[\]-~]|\\["\\])*"|-?\d{1,15}(?:\.\d{1,3})?|\?[01]|:[A-Za-z0-9+/=]*:|[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/y;
const SPACES = / */y;
const EQUALS = /=/y;
const SEMICOLON = /; */y;
const OPENING = /\( */y;
const CLOSING = /\)/y;
const COMMA = /[ \t]*,[ \t]*/y;

/** An inner list, or a single item as it is written; `?1` for a key without a value. */
type Member = readonly string[] | string;

/**
 * Reads, for example, `camera=(), fullscreen=(self "https://a.example")`. If a key is repeated, its last value counts.
 * Returns undefined if the text is no dictionary.
 */
export function readDictionary(text: string): ReadonlyMap<string, Member> | undefined {
  const members = new Map<string, Member>();
  const end = text.trimEnd().length;
  let at = 0;

  function read(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) at = pattern.lastIndex;
    return found;
  }

  function readParameters(): boolean {
    while (read(SEMICOLON) !== undefined) {
      if (read(KEY) === undefined) return false;
      if (read(EQUALS) !== undefined && read(BARE_ITEM) === undefined) return false;
    }
    return true;
  }

  function readInnerList(): string[] | undefined {
    const items: string[] = [];
    while (read(CLOSING) === undefined) {
      const item = read(BARE_ITEM);
      if (item === undefined || !readParameters()) return undefined;
      if (text[at] !== " " && text[at] !== ")") return undefined;
      items.push(item);
      read(SPACES);
    }
    return items;
  }

  function readValue(): Member | undefined {
    if (read(EQUALS) === undefined) return "?1";
    return read(OPENING) === undefined ? read(BARE_ITEM) : readInnerList();
  }

  while (at < end) {
    const key = read(KEY);
    const value = key === undefined ? undefined : readValue();
    if (key === undefined || value === undefined || !readParameters()) return undefined;
    members.set(key, value);
    if (at < end && (read(COMMA) === undefined || at >= end)) return undefined;
  }
  return members;
}
