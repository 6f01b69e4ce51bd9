import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median, SERVER } from "./harness.ts";

/** What a gate with nothing to operate costs, medians in ms. */
export interface ExecCosts {
  /** `exec -- true`: start, migrations, token, end. */
  trueMs: number;
  /** `exec -- shipscore check URL`. */
  checkMs: number;
  /** The first check of a process, and the last of twenty. */
  firstMs: number;
  laterMs: number;
}

const ROUNDS = 7;
const FIRST_CHECK = fileURLToPath(new URL("first-check.js", import.meta.url));
const run = promisify(execFile);

/** Measures `exec` for a site on this machine, with a database that is new each time. */
export async function measureExec(url: string, authorityFile: string): Promise<ExecCosts> {
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    NODE_EXTRA_CA_CERTS: authorityFile,
    SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8",
  };
  const exec = (...command: string[]) =>
    run(process.execPath, [SERVER, "exec", "--", ...command], { env });
  const wallOf = async (...command: string[]) => {
    const at = performance.now();
    await exec(...command);
    return performance.now() - at;
  };
  const seen: Record<keyof ExecCosts, number[]> = {
    trueMs: [],
    checkMs: [],
    firstMs: [],
    laterMs: [],
  };
  for (let round = 0; round < ROUNDS; round++) {
    seen.trueMs.push(await wallOf("true"));
    seen.checkMs.push(await wallOf("shipscore", "check", url));
    const { stdout } = await exec(process.execPath, FIRST_CHECK, url);
    const tookMs = JSON.parse(stdout) as number[];
    seen.firstMs.push(tookMs[0] ?? Number.NaN);
    seen.laterMs.push(tookMs.at(-1) ?? Number.NaN);
  }
  return {
    trueMs: median(seen.trueMs),
    checkMs: median(seen.checkMs),
    firstMs: median(seen.firstMs),
    laterMs: median(seen.laterMs),
  };
}
