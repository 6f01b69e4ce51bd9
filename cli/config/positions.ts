import type { Text } from "../../shared/language.ts";
import { untranslated } from "../terminal/errors.ts";

export class JsonFault extends Error {
  readonly what: Text;
  readonly offset: number;

  constructor(what: Text, offset: number) {
    super(what.en);
    this.what = what;
    this.offset = offset;
  }
}

export type Path = readonly (string | number)[];

/** Offsets: of the member's name, of the value's first character, and after its last. */
export interface Position {
  readonly name: number;
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /[\t\n\r ]*([[\]{},:]|"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null|$)/y;
const MAX_DEPTH = 8;

function describeUnexpected(token: string, wanted: Text): Text {
  if (token === "")
    return {
      fr: `le texte s'arrête alors que l'on attend ${wanted.fr}`,
      en: `the text ends where ${wanted.en} is expected`,
    };
  const found = token.startsWith('"') ? { fr: "un texte", en: "a string" } : untranslated(token);
  return {
    fr: `${found.fr} se trouve là où l'on attend ${wanted.fr}`,
    en: `there is ${found.en} where ${wanted.en} is expected`,
  };
}

export const keyOf = (path: Path): string => JSON.stringify(path);

/**
 * `JSON.parse` returns no positions, and accepts a member that occurs twice.
 * @throws JsonFault for a text that is not JSON or nested too deeply, and for a member that occurs twice
 */
export function findPositions(text: string): ReadonlyMap<string, Position> {
  const positions = new Map<string, Position>();
  let [token, start, end] = ["", 0, 0];

  function advance(): void {
    TOKEN.lastIndex = end;
    const found = TOKEN.exec(text)?.[1];
    if (found === undefined)
      throw new JsonFault(
        { fr: "ce n'est pas du JSON", en: "this is not JSON" },
        end + text.slice(end).search(/[^\t\n\r ]/),
      );
    [token, end] = [found, TOKEN.lastIndex];
    start = end - found.length;
  }

  function expect(isThere: boolean, wanted: Text): void {
    if (!isThere) throw new JsonFault(describeUnexpected(token, wanted), start);
  }

  function readItems(close: string, readItem: (index: number) => void): void {
    advance();
    for (let index = 0; token !== close; index++) {
      if (index > 0) {
        expect(token === ",", { fr: `, ou ${close}`, en: `, or ${close}` });
        advance();
      }
      readItem(index);
      advance();
    }
  }

  function readMember(path: Path): void {
    expect(token.startsWith('"'), { fr: "un nom entre guillemets", en: "a name in quotes" });
    const own = [...path, JSON.parse(token) as string];
    if (positions.has(keyOf(own)))
      throw new JsonFault({ fr: `${token} figure deux fois`, en: `${token} occurs twice` }, start);
    const name = start;
    advance();
    expect(token === ":", untranslated(":"));
    advance();
    readValue(own, name);
  }

  function readValue(path: Path, name = start): void {
    const first = start;
    if (path.length > MAX_DEPTH)
      throw new JsonFault(
        { fr: "il y a trop de niveaux imbriqués", en: "this is nested too deeply" },
        start,
      );
    expect(!/^(?:$|[\]},:])/.test(token), { fr: "une valeur", en: "a value" });
    if (token === "{") readItems("}", () => readMember(path));
    if (token === "[") readItems("]", (index) => readValue([...path, index]));
    positions.set(keyOf(path), { name, start: first, end });
  }

  advance();
  readValue([]);
  advance();
  expect(token === "", { fr: "la fin du texte", en: "the end of the text" });
  return positions;
}

/** `3:14`: line and column, both from 1. */
export function describePosition(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}
