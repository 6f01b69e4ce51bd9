import type { Answered, AnsweredCheck, Checked, Subject } from "./checked.ts";
import { CliError, describeError } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import type { Io } from "../terminal/io.ts";
import { cleanText } from "../terminal/clean.ts";
import { describeVerdict } from "../../shared/report/words.ts";
import { countOf } from "../terminal/words.ts";

const MAX_PARALLEL = 4;

/** After one of these, the next URL would fail for the same reason. */
const ENDING: readonly ExitCode[] = [EXIT.noAnswer, EXIT.tokenRefused, EXIT.quotaUsedUp];

/** A page to check: its URL as typed, tokens and all, and what it is called from then on. */
export interface Page {
  readonly url: string;
  readonly subject: Subject;
}

/** Checks a page. @throws CliError */
type CheckOne = (page: Page) => Promise<AnsweredCheck>;

/** One line on what came of a page. */
export function describeDone(answered: Answered): string {
  if ("error" in answered) return `${answered.url}: ${describeError(answered.error)}`;
  const { score, verdict } = answered.check;
  return `${answered.url}: ${score}, ${describeVerdict(verdict).toLowerCase()}.`;
}

function skip({ subject }: Page, cause: CliError): Answered {
  const advice = "Check it again once that is fixed";
  const error = new CliError(cause.exitCode, `not checked: ${cause.message}`, advice);
  return { ...subject, error };
}

async function settle(page: Page, checkOne: CheckOne): Promise<Answered> {
  try {
    return await checkOne(page);
  } catch (error) {
    if (error instanceof CliError) return { ...page.subject, error };
    throw error;
  }
}

/** Checks the one page of a run. */
export async function checkSingle(
  io: Io,
  pages: readonly Page[],
  checkOne: CheckOne,
): Promise<Answered[]> {
  const label = `Checking ${cleanText(pages.map(({ url }) => url).join(", "))}`;
  return io.showProgress(label, () => Promise.all(pages.map((page) => settle(page, checkOne))));
}

/**
 * Checks several pages, at most 4 at once, with a line for each that ends, and returns what came of each, in their order.
 * A refusal that the next page would meet too ends the run: the error of each of the rest says that it was not checked.
 */
export async function checkList(
  io: Io,
  pages: readonly Page[],
  checkOne: CheckOne,
): Promise<Answered[]> {
  const results = new Map<Page, Answered>();
  const waiting = [...pages];
  let ending: CliError | undefined;

  async function work(): Promise<void> {
    for (;;) {
      const page = ending === undefined ? waiting.shift() : undefined;
      if (page === undefined) return;
      const checked = await settle(page, checkOne);
      if ("error" in checked && ENDING.includes(checked.error.exitCode)) ending ??= checked.error;
      results.set(page, checked);
      const isRepeated =
        "error" in checked &&
        checked.error !== ending &&
        checked.error.exitCode === ending?.exitCode;
      const line = isRepeated ? `${checked.url}: the same.` : describeDone(checked);
      await io.note(`shipscore: ${cleanText(line)}`);
    }
  }

  const slots = countOf(pages.length, "slot");
  await io.note(`shipscore: checking ${countOf(pages.length, "URL")}, which takes ${slots}.`);
  await io.showProgress(`Checking ${countOf(pages.length, "URL")}`, () =>
    Promise.all(Array.from({ length: MAX_PARALLEL }, work)),
  );
  const left = pages.filter((page) => !results.has(page)).map(({ url }) => url);
  if (left.length > 0)
    await io.note(cleanText(`shipscore: stopped; not checked: ${left.join(", ")}.`));
  return pages.flatMap((page) => results.get(page) ?? (ending ? [skip(page, ending)] : []));
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
