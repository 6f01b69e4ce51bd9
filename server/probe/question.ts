/** A request asked in one wave and, where its answer settles nothing, once more in the last. */
export interface Question<T> {
  first: Promise<T>;
  settle(): Promise<T>;
}

/** Asks at once. A second answer replaces the first where it settles more. */
export function pose<T>(ask: () => Promise<T>, isUnsettled: (answer: T) => boolean): Question<T> {
  const first = ask();
  return {
    first,
    async settle() {
      const answer = await first;
      if (!isUnsettled(answer)) return answer;
      const again = await ask();
      return again === null || isUnsettled(again) ? answer : again;
    },
  };
}
