/** A request asked in one wave and, where its answer settles nothing, once more in the last. */
export interface Question<T> {
  first: Promise<T>;
  /** `isPatient`: also an answer that did not come in time is asked for again. */
  settle(isPatient: boolean): Promise<T>;
}

/** Asks at once. A second answer replaces the first where it settles more. */
export function pose<T>(
  ask: () => Promise<T>,
  isUnsettled: (answer: T, isPatient: boolean) => boolean,
): Question<T> {
  const first = ask();
  return {
    first,
    async settle(isPatient) {
      const answer = await first;
      if (!isUnsettled(answer, isPatient)) return answer;
      const again = await ask();
      return again === null || isUnsettled(again, isPatient) ? answer : again;
    },
  };
}
