/** Structured Field Values (RFC 9651, 3.1 and 3.2), as sticky patterns that each read one part. */
const KEY = /[a-z*][a-z0-9_.*-]*/y;
const BARE_ITEM =
  /"(?:[ !#-[\]-~]|\\["\\])*"|-?\d{1,15}(?:\.\d{1,3})?|\?[01]|:[A-Za-z0-9+/=]*:|[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/y;
const SPACES = / */y;
const EQUALS = /=/y;
const SEMICOLON = /; */y;
const OPENING = /\( */y;
const CLOSING = /\)/y;
const COMMA = /[ \t]*,[ \t]*/y;

/** Whether the text is a dictionary: `camera=(), fullscreen=(self "https://a.example")`. */
export function isDictionary(text: string): boolean {
  let at = 0;

  function read(pattern: RegExp): boolean {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found !== null;
  }

  function readParameters(): boolean {
    while (read(SEMICOLON)) {
      if (!read(KEY)) return false;
      if (read(EQUALS) && !read(BARE_ITEM)) return false;
    }
    return true;
  }

  function readInnerList(): boolean {
    while (!read(CLOSING)) {
      if (!read(BARE_ITEM) || !readParameters()) return false;
      if (text[at] !== " " && text[at] !== ")") return false;
      read(SPACES);
    }
    return true;
  }

  function readMember(): boolean {
    if (!read(KEY)) return false;
    if (read(EQUALS) && !(read(OPENING) ? readInnerList() : read(BARE_ITEM))) return false;
    return readParameters();
  }

  const end = text.trimEnd().length;
  while (at < end) {
    if (!readMember()) return false;
    if (at < end && (!read(COMMA) || at >= end)) return false;
  }
  return true;
}
