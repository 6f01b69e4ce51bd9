/** A request sent in one wave and, if its answer settles nothing, once more in the last. */
export interface Question<T> {
  first: Promise<T>;
  /** `isPatient`: a request that timed out is sent again too. */
  settle(isPatient: boolean): Promise<T>;
}

/** Sends the request at once. A second answer replaces the first if it settles more. */
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
