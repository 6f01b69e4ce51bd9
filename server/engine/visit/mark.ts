import { AsyncLocalStorage, createHook } from "node:async_hooks";

const TURN = 0;
const CALL = 1;
const NONE = -1;

/**
 * Shared memory in which a thread notes the call it is working for, so that another can read it while the thread
 * hangs.
 */
export type Mark = Int32Array;

export function createMark(): Mark {
  return new Int32Array(new SharedArrayBuffer(8)).fill(NONE, CALL);
}

/** `turn` changes with every callback of the thread; `call` is undefined between the callbacks of calls. */
export function readMark(mark: Mark): { turn: number; call: number | undefined } {
  const call = Atomics.load(mark, CALL);
  return { turn: Atomics.load(mark, TURN), call: call === NONE ? undefined : call };
}

/** From now on, notes before each callback of this thread which call it belongs to; `run` starts the work of a call. */
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
