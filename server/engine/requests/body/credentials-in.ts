import type { Credential } from "../../evidence/html.ts";
import type { Slice } from "../../net/slice.ts";
import { CredentialSearch, plainLetters } from "../privacy/credentials.ts";
import { createSearch } from "../privacy/plain-text.ts";

const PIECE_LENGTH = 16_384;
const MAX_KEPT = 20;
/** Longer than any mark. */
const OVERLAP = 64;

/** A value that the page shows is published on purpose, even where the source repeats it. */
export async function findCredentialsIn(
  text: string,
  readShown: () => string,
  slice: Slice,
): Promise<Credential[]> {
  const search = new CredentialSearch(text);
  while (search.read() && !slice.isLate) if (slice.isOver) await slice.end();
  if (search.found.length === 0) return [];
  const shown = await findMarks(search.found, readShown(), slice);
  const first = new Map<string, Credential>();
  for (const { kind, line, mark } of search.found) {
    const isShown = shown.has(mark);
    const key = `${kind} ${isShown}`;
    if (!first.has(key)) first.set(key, { kind, line, isShown });
  }
  return [...first.values()].slice(0, MAX_KEPT);
}

async function findMarks(
  found: readonly { mark: string }[],
  text: string,
  slice: Slice,
): Promise<ReadonlySet<string>> {
  const marks = found.map(({ mark }) => mark);
  const search = createSearch(marks);
  const longest = new Set<string>();
  let rest = "";
  for (let at = 0; at < text.length && !slice.isLate; at += PIECE_LENGTH) {
    const letters = rest + plainLetters(text.slice(at, at + PIECE_LENGTH));
    for (const [, mark] of search(letters)) longest.add(mark);
    rest = letters.slice(-OVERLAP);
    if (slice.isOver) await slice.end();
  }
  return new Set(marks.filter((mark) => [...longest].some((one) => one.startsWith(mark))));
}
