/** The requests that one check may still send. */
export interface Budget {
  /** Sets requests aside for a chain whose length is not known yet; none at all where fewer are left. */
  reserve(count: number): Reserve;
  /**
   * Takes one request, in the order asked for. Waits for reserves to be let go rather than refuse too early, so that
   * what is sent depends on the site and never on which answer came first. False when none is left.
   */
  take(): Promise<boolean>;
}

export interface Reserve {
  /** Takes one of the requests set aside. */
  take(): boolean;
  /** Gives back those that were not taken. */
  release(): void;
}

export function openBudget(maxRequests: number): Budget {
  let left = maxRequests;
  let reserves = 0;
  const waiting: ((taken: boolean) => void)[] = [];

  function settle(): void {
    const isFinal = reserves === 0;
    while (waiting.length > 0 && (left > 0 || isFinal)) {
      const isLeft = left > 0;
      if (isLeft) left--;
      waiting.shift()?.(isLeft);
    }
  }

  return {
    reserve(count) {
      let kept = left < count ? 0 : count;
      left -= kept;
      reserves++;
      let isOpen = true;
      return {
        take: () => kept > 0 && kept-- > 0,
        release() {
          if (!isOpen) return;
          isOpen = false;
          reserves--;
          left += kept;
          kept = 0;
          settle();
        },
      };
    },
    take() {
      return new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      });
    },
  };
}
