import { type Checked, type GatedCheck, subjectOf } from "./checked.ts";
import { CliError, describeError } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import type { Io } from "../terminal/io.ts";
import { cleanText } from "../terminal/clean.ts";
import { describeVerdict } from "../../shared/report/words.ts";
import { countOf } from "../terminal/words.ts";

const MAX_PARALLEL = 4;

/** After one of these, the next URL would fail for the same reason. */
const ENDING: readonly ExitCode[] = [EXIT.noAnswer, EXIT.tokenRefused, EXIT.quotaUsedUp];

/** Checks a URL. @throws CliError */
type CheckOne = (url: string) => Promise<GatedCheck>;

function describeDone(checked: Checked): string {
  if ("error" in checked) return `${checked.url}: ${describeError(checked.error)}`;
  const { score, verdict } = checked.check;
  return `${checked.url}: ${score}, ${describeVerdict(verdict).toLowerCase()}.`;
}

function skip(url: string, cause: CliError): Checked {
  const advice = "Check it again once that is fixed";
  return {
    ...subjectOf(url),
    error: new CliError(cause.exitCode, `not checked: ${cause.message}`, advice),
  };
}

async function settle(url: string, checkOne: CheckOne): Promise<Checked> {
  try {
    return await checkOne(url);
  } catch (error) {
    if (error instanceof CliError) return { ...subjectOf(url), error };
    throw error;
  }
}

export async function checkSingle(io: Io, url: string, checkOne: CheckOne): Promise<Checked[]> {
  const label = `Checking ${cleanText(url)}`;
  return [await io.showProgress(label, () => settle(url, checkOne))];
}

/**
 * Checks several URLs, at most 4 at once, with a line for each that ends, and returns what came of each, in their order.
 * A refusal that the next URL would meet too ends the run: the error of each of the rest says that it was not checked.
 */
export async function checkList(
  io: Io,
  urls: readonly string[],
  checkOne: CheckOne,
): Promise<Checked[]> {
  const results = new Map<string, Checked>();
  const waiting = [...urls];
  let ending: CliError | undefined;

  async function work(): Promise<void> {
    for (;;) {
      const url = ending === undefined ? waiting.shift() : undefined;
      if (url === undefined) return;
      const checked = await settle(url, checkOne);
      if ("error" in checked && ENDING.includes(checked.error.exitCode)) ending ??= checked.error;
      results.set(url, checked);
      const isRepeated =
        "error" in checked &&
        checked.error !== ending &&
        checked.error.exitCode === ending?.exitCode;
      const line = isRepeated ? `${checked.url}: the same.` : describeDone(checked);
      await io.note(`shipscore: ${cleanText(line)}`);
    }
  }

  const slots = countOf(urls.length, "slot");
  await io.note(`shipscore: checking ${countOf(urls.length, "URL")}, which takes ${slots}.`);
  await io.showProgress(`Checking ${countOf(urls.length, "URL")}`, () =>
    Promise.all(Array.from({ length: MAX_PARALLEL }, work)),
  );
  const left = urls.filter((url) => !results.has(url));
  if (left.length > 0)
    await io.note(cleanText(`shipscore: stopped; not checked: ${left.join(", ")}.`));
  return urls.flatMap((url) => results.get(url) ?? (ending ? [skip(url, ending)] : []));
}

/** The worst of a run decides: an error, then an unmet gate, then an inconclusive verdict. */
export function findExitCode(checked: readonly Checked[], fails: boolean): ExitCode {
  const codes = checked.map((one) => ("error" in one ? one.error.exitCode : one.gate.exitCode));
  const isError = (code: ExitCode) => code === EXIT.usage || code === EXIT.noAnswer || code >= 40;
  const [worst] = codes.filter(isError).toSorted((a, b) => b - a);
  if (worst !== undefined) return worst;
  if (!fails) return EXIT.done;
  return [EXIT.unmet, EXIT.inconclusive].find((code) => codes.includes(code)) ?? EXIT.done;
}
