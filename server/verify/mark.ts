import { AsyncLocalStorage, createHook } from "node:async_hooks";

const TURN = 0;
const CALL = 1;
const NONE = -1;

/** Where a thread notes which call it works for, readable by another while it hangs. */
export type Mark = Int32Array;

export function createMark(): Mark {
  return new Int32Array(new SharedArrayBuffer(8)).fill(NONE, CALL);
}

/** `turn` changes with every callback that the thread begins; `call` is undefined between those of calls. */
export function readMark(mark: Mark): { turn: number; call: number | undefined } {
  const call = Atomics.load(mark, CALL);
  return { turn: Atomics.load(mark, TURN), call: call === NONE ? undefined : call };
}

/** Notes from now on, before each callback of this thread, for which call it is; `run` begins the work for one. */
export function keepMark(mark: Mark): { run(call: number, work: () => void): void } {
  const current = new AsyncLocalStorage<number>();
  const outer: number[] = [];
  const enter = (call = NONE): void => {
    outer.push(Atomics.exchange(mark, CALL, call));
    Atomics.add(mark, TURN, 1);
  };
  const leave = (): void => void Atomics.store(mark, CALL, outer.pop() ?? NONE);
  createHook({ before: () => enter(current.getStore()), after: leave }).enable();
  // A rejection that nobody handles comes up between callbacks; it is still that of a call.
  process.on("uncaughtExceptionMonitor", () => enter(current.getStore()));
  return {
    run(call, work) {
      enter(call);
      current.run(call, work);
      leave();
    },
  };
}
