/** The requests that one check may still send. */
export interface Budget {
  /** Reserves requests for a redirect chain of unknown length; reserves none when fewer are left. */
  reserve(count: number): Reserve;
  /**
   * Takes one request, first come, first served; false when none is left. It waits for open reserves to be released
   * before it refuses, so that what is sent depends on the site and not on which answer came first.
   */
  take(): Promise<boolean>;
}

export interface Reserve {
  /** Takes one of the reserved requests. */
  take(): boolean;
  /** Returns the requests that were not taken. */
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
