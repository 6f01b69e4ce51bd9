import type { SeenChange } from "../db/deployments/deployments.ts";
import type { Fingerprint } from "../db/watching/fingerprints.ts";

/** What came of one more fingerprint. */
export interface FingerprintDecision {
  /** What is kept: those of the last verifications, newest first. */
  kept: readonly Fingerprint[];
  /** When it was seen first, as ISO, if it is new; else null. */
  since: string | null;
  /** True if the next verification is to come an interval later, and not when it is due. */
  isAwaited: boolean;
  seen: SeenChange | null;
}

/** A fingerprint counts once so many verifications in a row have it, and is new if none of the twenty before had it. */
const IN_A_ROW = 3;
const BEFORE = 20;
/** After so many changes in a row a page is one whose names change by themselves, which nobody waits for. */
const RESTLESS = 3;

const isSame = (one: Fingerprint | undefined, other: Fingerprint | undefined) =>
  one?.parts.join("\n") === other?.parts.join("\n");

/** How many from the first on are like it, or unlike the one after it. */
function countWhile(list: readonly Fingerprint[], holds: (index: number) => boolean): number {
  const end = list.findIndex((_, index) => !holds(index));
  return end === -1 ? list.length : end;
}

/** The paths of one list that the other has not as they are. */
function pathsWithout(list: readonly string[], others: readonly string[]): string[] {
  const parts = list.filter((one) => one.startsWith("/") && !others.includes(one));
  return [...new Set(parts.map((part) => part.split(" ", 1).join()))];
}

/** Decides what a fingerprint means beside those before it, newest first. */
export function decideFingerprint(
  before: readonly Fingerprint[],
  newest: Fingerprint,
): FingerprintDecision {
  const kept = [newest, ...before].slice(0, IN_A_ROW + BEFORE);
  const run = countWhile(kept, (index) => isSame(kept[index], newest));
  const earlier = kept.slice(run);
  const [last] = earlier;
  const isNew = last !== undefined && earlier.slice(0, BEFORE).every((one) => !isSame(one, newest));
  const changes = countWhile(earlier, (index) => !isSame(earlier[index], earlier[index + 1]));
  const first = kept[run - 1];
  return {
    kept,
    since: isNew && first ? first.at : null,
    isAwaited: isNew && run < IN_A_ROW && changes < RESTLESS,
    seen:
      isNew && run === IN_A_ROW
        ? {
            added: pathsWithout(newest.parts, last.parts),
            gone: pathsWithout(last.parts, newest.parts),
          }
        : null,
  };
}
