import type { Standstill } from "./guard.ts";

const BEAT_MS = 100;

/**
 * Adds up for how long this thread was kept from running: stopped, starved of processor time, or busy. Its timers end
 * requests then whose answers have long been there.
 */
export function startStandstill(): Standstill {
  let nextBeat = performance.now() + BEAT_MS;
  let totalMs = 0;
  const lateMs = (): number => {
    const ms = performance.now() - nextBeat;
    return ms < BEAT_MS ? 0 : ms;
  };
  setInterval(() => {
    totalMs += lateMs();
    nextBeat = performance.now() + BEAT_MS;
  }, BEAT_MS).unref();
  return () => totalMs + lateMs();
}
