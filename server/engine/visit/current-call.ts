import { AsyncLocalStorage, createHook } from "node:async_hooks";

const TURN = 0;
const CALL = 1;
const NONE = -1;

/**
 * Shared memory in which a thread notes the call it is working for, so that another can read it while the thread
 * hangs.
 */
export type CurrentCall = Int32Array;

export function createCurrentCall(): CurrentCall {
  return new Int32Array(new SharedArrayBuffer(8)).fill(NONE, CALL);
}

/** `turn` changes with every callback of the thread; `call` is undefined between the callbacks of calls. */
export function readCurrentCall(currentCall: CurrentCall): {
  turn: number;
  call: number | undefined;
} {
  const call = Atomics.load(currentCall, CALL);
  return { turn: Atomics.load(currentCall, TURN), call: call === NONE ? undefined : call };
}

/** From now on, notes before each callback of this thread which call it belongs to; `run` starts the work of a call. */
export function trackCurrentCall(currentCall: CurrentCall): {
  run(call: number, work: () => void): void;
} {
  const current = new AsyncLocalStorage<number>();
  const outer: number[] = [];
  const enter = (call = NONE): void => {
    outer.push(Atomics.exchange(currentCall, CALL, call));
    Atomics.add(currentCall, TURN, 1);
  };
  const leave = (): void => void Atomics.store(currentCall, CALL, outer.pop() ?? NONE);
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
