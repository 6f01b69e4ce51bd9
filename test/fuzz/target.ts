import * as fc from "fast-check";

/** What the issue allows one input to take, of this process's time: what else the machine does is no fault. */
const MAX_INPUT_MS = 50;
const MAX_SHOWN = 160;
const MAX_REPORT = 20_000;

/** The slowest input of a target so far, at its best of four tries. */
export interface Slowest {
  ms: number;
  input: string;
}

/** A reader of what strangers send, and what must hold for it whatever they send. */
export interface Target {
  name: string;
  /** Tries that many inputs, the same for the same seed. Gives the shrunk counterexample as text, or null. */
  attack(numRuns: number, seed: number, slowest: Slowest): Promise<string | null>;
}

/** @param check throws where the property does not hold */
export function target<Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  check: (input: Input) => void | Promise<void>,
): Target {
  async function measure(input: Input): Promise<number> {
    const before = process.cpuUsage();
    await check(input);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }

  async function checkInTime(input: Input, slowest: Slowest): Promise<void> {
    const first = await measure(input);
    if (first <= Math.min(slowest.ms, MAX_INPUT_MS)) return;
    const again = [await measure(input), await measure(input), await measure(input)];
    const ms = Math.min(first, ...again);
    if (ms > slowest.ms) {
      const shown = fc.stringify(input);
      slowest.ms = ms;
      slowest.input = `${shown.slice(0, MAX_SHOWN)} (${shown.length} characters)`;
    }
    if (ms > MAX_INPUT_MS) throw new Error(`took ${ms.toFixed(1)} ms, over ${MAX_INPUT_MS}`);
  }

  return {
    name,
    async attack(numRuns, seed, slowest) {
      const property = fc.asyncProperty(inputs, (input) => checkInTime(input, slowest));
      const details = await fc.check(property, { numRuns, seed });
      if (!details.failed) return null;
      const report = fc.defaultReportMessage(details)?.slice(0, MAX_REPORT) ?? "";
      return `${String(details.errorInstance)}\n${report}`;
    },
  };
}
