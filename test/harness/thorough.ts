import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    isThorough: boolean;
  }
}

/** The slowest properties run on one of this many inputs, and on all inputs with `--mode all`. */
export const ONE_IN = inject("isThorough") ? 1 : 10;

/** Returns all cases with `--mode all`, and otherwise every eighth one. A browser takes a second for each. */
export const sampleCases = <Case>(cases: readonly Case[]): readonly Case[] =>
  cases.filter((_, index) => index % 8 === 0 || inject("isThorough"));

/** Returns all cases with `--mode all`. Otherwise returns only cases that cover something which no earlier case covers. */
export function chooseCases<Case>(
  cases: readonly Case[],
  shownBy: (one: Case) => readonly string[],
): readonly Case[] {
  const seen = new Set<string>();
  return cases.filter((one) => {
    const before = seen.size;
    for (const shown of shownBy(one)) seen.add(shown);
    return seen.size > before || inject("isThorough");
  });
}
