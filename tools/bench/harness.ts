import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const SERVER = fileURLToPath(new URL("../../bin/shipscore-server.js", import.meta.url));

export function quantile(numbers: readonly number[], share: number): number {
  const sorted = Float64Array.from(numbers).toSorted();
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

export function say(line = ""): void {
  process.stdout.write(`${line}\n`);
}

export function row(name: string, cells: readonly string[]): void {
  say(name.padEnd(28) + cells.map((cell) => cell.padStart(17)).join(""));
}

export function printResult(goal: string, isMet: boolean, result: string): void {
  say(`  ${isMet ? "met    " : "NOT MET"}  ${goal}: ${result}`);
}

export interface ServingProcess {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Writes stdout to a file, and waits until the process reports on stderr where it listens. */
export async function startProcess(
  args: string[],
  env: Record<string, string>,
  logFile: string,
): Promise<ServingProcess> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, ...env },
    stdio: ["ignore", openSync(logFile, "w"), "pipe"],
  });
  const exited = once(child, "exit");
  process.once("exit", () => child.kill());
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on("data", (chunk) => {
      output += chunk;
      const listening = /listening on (\S+)/.exec(output)?.[1];
      if (listening !== undefined) resolve(listening);
    });
    child.once("exit", () => reject(new Error(output)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Makes tsx compile components. By default tsx would find a tsconfig.json that only refers to others. */
const COMPILED = {
  TSX_TSCONFIG_PATH: fileURLToPath(new URL("../../tsconfig.base.json", import.meta.url)),
};

/** Writes stdout to a file of the same name in `logFolder`. */
export function startProgram(
  name: string,
  args: readonly string[],
  logFolder: string,
  env: Record<string, string> = {},
): Promise<ServingProcess> {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const logFile = join(logFolder, `${name}.log`);
  return startProcess(["--import", "tsx", file, ...args], { ...COMPILED, ...env }, logFile);
}
