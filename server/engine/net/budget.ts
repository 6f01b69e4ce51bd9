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

/** The bytes of bodies that one check may still read. */
export interface Room {
  /** Takes what a body has already come to. */
  spend(bytes: number): void;
  /**
   * Asks for room for one body, first come, first served, so that what is read depends on the page and not on which answer came
   * first: less than asked for is given only once all earlier bodies have been read.
   */
  ask(maxBytes: number): RoomFor;
}

export interface RoomFor {
  granted: Promise<number>;
  /** Gives back what the body did not use; to be called once it has been read, or will not be. */
  release(usedBytes: number): void;
}

interface Turn {
  wanted: number;
  given: number | null;
  grant: (bytes: number) => void;
}

export function openRoom(maxBytes: number): Room {
  let left = maxBytes;
  let openCount = 0;
  const waiting: Turn[] = [];

  function settle(): void {
    for (let turn = waiting[0]; turn; turn = waiting[0]) {
      if (left < turn.wanted && openCount > 0) return;
      waiting.shift();
      turn.given = Math.min(left, turn.wanted);
      left -= turn.given;
      openCount++;
      turn.grant(turn.given);
    }
  }

  return {
    spend(bytes) {
      left = Math.max(0, left - bytes);
    },
    ask(wanted) {
      const turn: Turn = { wanted, given: null, grant: () => undefined };
      const granted = new Promise<number>((resolve) => (turn.grant = resolve));
      let isOpen = true;
      waiting.push(turn);
      settle();
      return {
        granted,
        release(usedBytes) {
          if (!isOpen) return;
          isOpen = false;
          if (turn.given === null) waiting.splice(waiting.indexOf(turn), 1);
          else {
            openCount--;
            left += Math.max(0, turn.given - usedBytes);
          }
          settle();
        },
      };
    },
  };
}
