/** What is wrong in a JSON text, and at which character. */
export class JsonFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export type Path = readonly (string | number)[];

/** Where a value stands in a JSON text: the offsets of its member's name, of its first character, and behind its last. */
export interface Position {
  readonly name: number;
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /[\t\n\r ]*([[\]{},:]|"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null|$)/y;
const MAX_DEPTH = 8;

export const keyOf = (path: Path): string => JSON.stringify(path);

/**
 * The positions of all values of a JSON text, by `keyOf` their paths. `JSON.parse` tells none, and keeps the last of two members
 * with one name.
 * @throws JsonFault for what is no JSON, for a member that is there twice, and for what is nested deeply
 */
export function findPositions(text: string): ReadonlyMap<string, Position> {
  const positions = new Map<string, Position>();
  let [token, start, end] = ["", 0, 0];

  function advance(): void {
    TOKEN.lastIndex = end;
    const found = TOKEN.exec(text)?.[1];
    if (found === undefined)
      throw new JsonFault("this is not JSON", end + text.slice(end).search(/[^\t\n\r ]/));
    [token, end] = [found, TOKEN.lastIndex];
    start = end - found.length;
  }

  function expect(isThere: boolean, wanted: string): void {
    const seen =
      token === "" ? "the text ends" : `there is ${token.startsWith('"') ? "a text" : token}`;
    if (!isThere) throw new JsonFault(`${seen} where ${wanted} is expected`, start);
  }

  function readItems(close: string, readItem: (index: number) => void): void {
    advance();
    for (let index = 0; token !== close; index++) {
      if (index > 0) {
        expect(token === ",", `, or ${close}`);
        advance();
      }
      readItem(index);
      advance();
    }
  }

  function readMember(path: Path): void {
    expect(token.startsWith('"'), "a name in quotes");
    const own = [...path, JSON.parse(token) as string];
    if (positions.has(keyOf(own))) throw new JsonFault(`${token} is there twice`, start);
    const name = start;
    advance();
    expect(token === ":", ":");
    advance();
    readValue(own, name);
  }

  function readValue(path: Path, name = start): void {
    const first = start;
    if (path.length > MAX_DEPTH) throw new JsonFault("this is nested too deeply", start);
    expect(!/^(?:$|[\]},:])/.test(token), "a value");
    if (token === "{") readItems("}", () => readMember(path));
    if (token === "[") readItems("]", (index) => readValue([...path, index]));
    positions.set(keyOf(path), { name, start: first, end });
  }

  advance();
  readValue([]);
  advance();
  expect(token === "", "the end");
  return positions;
}

/** `3:14`: line and column of an offset, both from 1. */
export function describePosition(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}
