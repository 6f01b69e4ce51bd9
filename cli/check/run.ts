import type { CheckOutcome, CompletedCheck, Checked, Subject } from "./results.ts";
import { CliError, describeError, formatError } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import type { Io } from "../terminal/io.ts";
import { cleanText } from "../terminal/json.ts";
import { describeVerdict } from "../../shared/report/words.ts";
import type { Quota } from "../../shared/quota.ts";
import type { Gate } from "../../shared/report/gate.ts";
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
type CheckOne = (page: Page) => Promise<CompletedCheck>;

export function describeDone(answered: CheckOutcome): string {
  if ("error" in answered) return `${answered.url}: ${describeError(answered.error)}`;
  const { score, verdict } = answered.check;
  return `${answered.url}: ${score}, ${describeVerdict(verdict).toLowerCase()}.`;
}

function skip({ subject }: Page, cause: CliError): CheckOutcome {
  const advice = "Check it again once that is fixed";
  const error = new CliError(cause.exitCode, `not checked: ${cause.message}`, advice);
  return { ...subject, error };
}

async function settle(page: Page, checkOne: CheckOne): Promise<CheckOutcome> {
  try {
    return await checkOne(page);
  } catch (error) {
    if (error instanceof CliError) return { ...page.subject, error };
    throw error;
  }
}

export const checkSingle = (io: Io, page: Page, checkOne: CheckOne): Promise<CheckOutcome> =>
  io.showProgress(`Checking ${cleanText(page.url)}`, () => settle(page, checkOne));

/** Pages that a stopped run names. */
const MAX_NAMED = 5;

/** Too many pages for what is left of the month's quota, so that none of them is checked. */
function refuseCount(count: number, { remaining, limit }: Quota): CliError {
  return new CliError(
    EXIT.quotaUsedUp,
    `${countOf(count, "page needs", "pages need")} as many checks, and ${remaining} of ${limit} are left this month`,
    "Check fewer, such as with --limit, or wait for the next month",
  );
}

/**
 * Checks several pages, at most 4 at once, with a line for each that ends or a count of them, and returns what came of each, in their order.
 * A refusal that the next page would meet too ends the run: the error of each of the rest says that it was not checked.
 * @param findQuota asked before the first check, so that a run for which too little is left spends nothing; it finds nothing
 * where the server tells the quota only with a check
 */
export async function checkList(
  io: Io,
  pages: readonly Page[],
  checkOne: CheckOne,
  findQuota?: () => Promise<Quota | undefined>,
): Promise<CheckOutcome[]> {
  const results = new Map<Page, CheckOutcome>();
  const waiting = [...pages];
  let ending: CliError | undefined;
  let tell: ((label: string) => void) | undefined;
  const label = `Checking ${countOf(pages.length, "page")}`;

  async function end(error: CliError): Promise<void> {
    ending ??= error;
    await io.tell(formatError(error));
  }

  async function tellQuota(quota: Quota): Promise<void> {
    const { length: count } = waiting;
    if (count > quota.remaining) return end(refuseCount(count, quota));
    const left = countOf(quota.remaining, "check");
    await io.note(`shipscore: ${countOf(count, "page")}: ${count} of ${left} left.`);
  }

  async function work(most = Infinity): Promise<void> {
    for (let count = 0; count < most; count++) {
      const page = ending === undefined ? waiting.shift() : undefined;
      if (page === undefined) return;
      const checked = await settle(page, checkOne);
      if ("error" in checked && ENDING.includes(checked.error.exitCode)) ending ??= checked.error;
      results.set(page, checked);
      tell?.(`${label}: ${results.size} done`);
      if (tell && "check" in checked) continue;
      const isRepeated =
        "error" in checked &&
        checked.error !== ending &&
        checked.error.exitCode === ending?.exitCode;
      const line = isRepeated ? `${checked.url}: the same.` : describeDone(checked);
      await io.note(`shipscore: ${line}`);
    }
  }

  async function workAll(tellProgress?: (label: string) => void): Promise<void> {
    tell = tellProgress;
    if (findQuota) {
      const quota = await findQuota().catch(async (error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        await end(error);
        return undefined;
      });
      if (quota === undefined) await work(1);
      const [first] = results.values();
      const known = quota ?? (first && "check" in first ? first.check.quota : undefined);
      if (known) await tellQuota(known);
    }
    await Promise.all(Array.from({ length: MAX_PARALLEL }, () => work()));
  }

  const count = countOf(pages.length, "check");
  if (!findQuota)
    await io.note(`shipscore: checking ${countOf(pages.length, "URL")}, which uses ${count}.`);
  await io.showProgress(label, workAll);
  const left = pages.filter((page) => !results.has(page)).map(({ url }) => url);
  if (left.length > 0 && results.size > 0) {
    const rest = left.length > MAX_NAMED ? `, and ${left.length - MAX_NAMED} more` : "";
    const named = left.slice(0, MAX_NAMED).join(", ");
    await io.note(`shipscore: stopped; not checked: ${named}${rest}.`);
  }
  return pages.flatMap((page) => results.get(page) ?? (ending ? [skip(page, ending)] : []));
}

const GATE_CODES: Readonly<Record<Gate["result"], ExitCode>> = {
  met: EXIT.done,
  unmet: EXIT.unmet,
  undecided: EXIT.inconclusive,
};

/** The worst of a run decides: an error, then an unmet gate, then an inconclusive verdict. */
export function findExitCode(checked: readonly Checked[], fails: boolean): ExitCode {
  const codes = checked.map((one) =>
    "error" in one ? one.error.exitCode : GATE_CODES[one.gate.result],
  );
  const isError = (code: ExitCode) => code === EXIT.usage || code === EXIT.noAnswer || code >= 40;
  const [worst] = codes.filter(isError).toSorted((a, b) => b - a);
  if (worst !== undefined) return worst;
  if (!fails) return EXIT.done;
  return [EXIT.unmet, EXIT.inconclusive].find((code) => codes.includes(code)) ?? EXIT.done;
}
