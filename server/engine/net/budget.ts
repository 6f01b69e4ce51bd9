export interface Budget {
  /** Reserves nothing if fewer than `count` requests are left. */
  reserve(count: number): Reserve;
  /**
   * Refuses only once all reserves are released. Otherwise the requests that are sent would depend on the order of the
   * answers.
   */
  take(): Promise<boolean>;
}

export interface Reserve {
  take(): boolean;
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

export interface Room {
  spend(bytes: number): void;
  /**
   * Grants less only once all earlier bodies are read. Otherwise the bytes that are read would depend on the order of
   * the answers.
   */
  request(maxBytes: number): RoomRequest;
}

export interface RoomRequest {
  granted: Promise<number>;
  /** The caller must release the room once it has read the body or will not read it. */
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
    request(wanted) {
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
