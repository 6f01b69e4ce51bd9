import type { Language, Text } from "../../shared/language.ts";
import type { CheckOutcome, CompletedCheck, Checked, Subject } from "./results.ts";
import { CliError, describeError, formatError, untranslated } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import type { Io } from "../terminal/io.ts";
import { cleanText } from "../terminal/json.ts";
import {
  countOthers,
  describeCount,
  describeVerdict,
  labelText,
  say,
} from "../../shared/report/words.ts";
import type { Quota } from "../../shared/quota.ts";
import type { Gate } from "../../shared/report/gate.ts";
import { countOf } from "../terminal/words.ts";

const MAX_PARALLEL = 4;

/** After one of these, the next URL would fail for the same reason. */
const ENDING: readonly ExitCode[] = [EXIT.noAnswer, EXIT.tokenRefused, EXIT.quotaUsedUp];

export interface Page {
  /** The URL as typed, including tokens. Everything else uses the subject. */
  readonly url: string;
  readonly subject: Subject;
}

/** @throws CliError */
type CheckOne = (page: Page) => Promise<CompletedCheck>;

export function describeOutcome(outcome: CheckOutcome, language: Language): string {
  if ("error" in outcome)
    return labelText(outcome.url, describeError(outcome.error, language), language);
  const { score, verdict } = outcome.check;
  const result = `${score}, ${describeVerdict(verdict, language).toLowerCase()}.`;
  return labelText(outcome.url, result, language);
}

function skip({ subject }: Page, cause: CliError): CheckOutcome {
  const what = { fr: `non vérifiée : ${cause.what.fr}`, en: `not checked: ${cause.what.en}` };
  const advice = {
    fr: "Vérifiez-la à nouveau une fois ce problème corrigé",
    en: "Check it again once that is fixed",
  };
  return { ...subject, error: new CliError(cause.exitCode, what, advice) };
}

async function settle(page: Page, checkOne: CheckOne): Promise<CheckOutcome> {
  try {
    return await checkOne(page);
  } catch (error) {
    if (error instanceof CliError) return { ...page.subject, error };
    throw error;
  }
}

export function checkSingle(io: Io, page: Page, checkOne: CheckOne): Promise<CheckOutcome> {
  const url = cleanText(page.url);
  const label = { fr: `Vérification de ${url}`, en: `Checking ${url}` };
  return io.showProgress(say(label, io.language), () => settle(page, checkOne));
}

const MAX_LISTED = 5;

function quotaError(count: number, { remaining, limit }: Quota): CliError {
  const [pages, left] = [countOf(count, "page"), countOf(remaining, "check")];
  return new CliError(
    EXIT.quotaUsedUp,
    {
      fr: `${pages.fr} à vérifier, et il ne reste que ${left.fr} sur ${describeCount(limit, "fr")} ce mois-ci`,
      en: `there are ${pages.en} to check, and only ${left.en} of ${describeCount(limit, "en")} left this month`,
    },
    {
      fr: "Vérifiez-en moins, par exemple avec --limit, ou attendez le mois prochain",
      en: "Check fewer, for example with --limit, or wait until next month",
    },
  );
}

function describeRest(count: number): Text {
  if (count <= 0) return untranslated("");
  const others = countOthers(count);
  return { fr: ` et ${others.fr}`, en: ` and ${others.en}` };
}

/**
 * An error that the next page would get too ends the run: the other pages get it as "not checked".
 * @param findQuota reads the quota before the first check, so that a run with too many pages uses none of it. Undefined if
 * the server sends the quota only with a check.
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
  const { language } = io;
  const note = (text: Text) => io.note(`shipscore: ${say(text, language)}`);
  const counted = countOf(pages.length, "page");
  const label = { fr: `Vérification de ${counted.fr}`, en: `Checking ${counted.en}` };
  let setLabel: ((label: string) => void) | undefined;

  async function end(error: CliError): Promise<void> {
    ending ??= error;
    await io.writeLine(formatError(error, language));
  }

  async function noteQuota(quota: Quota): Promise<void> {
    const { length: count } = waiting;
    if (count > quota.remaining) return end(quotaError(count, quota));
    const [rest, left] = [countOf(count, "page"), countOf(quota.remaining, "check")];
    await note({
      fr: `${rest.fr} à vérifier ; quota restant : ${left.fr}.`,
      en: `${rest.en} to check; ${left.en} left.`,
    });
  }

  async function work(most = Infinity): Promise<void> {
    for (let count = 0; count < most; count++) {
      const page = ending === undefined ? waiting.shift() : undefined;
      if (page === undefined) return;
      const checked = await settle(page, checkOne);
      if ("error" in checked && ENDING.includes(checked.error.exitCode)) ending ??= checked.error;
      results.set(page, checked);
      const done = {
        fr: `${label.fr} : ${results.size} sur ${pages.length}`,
        en: `${label.en}: ${results.size} of ${pages.length}`,
      };
      setLabel?.(say(done, language));
      if (setLabel && "check" in checked) continue;
      const isRepeated =
        "error" in checked &&
        checked.error !== ending &&
        checked.error.exitCode === ending?.exitCode;
      if (isRepeated)
        await note({ fr: `${checked.url} : même erreur.`, en: `${checked.url}: same error.` });
      else await io.note(`shipscore: ${describeOutcome(checked, language)}`);
    }
  }

  async function workAll(showLabel?: (label: string) => void): Promise<void> {
    setLabel = showLabel;
    if (findQuota) {
      const quota = await findQuota().catch(async (error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        await end(error);
        return undefined;
      });
      if (quota === undefined) await work(1);
      const [first] = results.values();
      const known = quota ?? (first && "check" in first ? first.check.quota : undefined);
      if (known) await noteQuota(known);
    }
    await Promise.all(Array.from({ length: MAX_PARALLEL }, () => work()));
  }

  if (!findQuota) {
    const [urls, checks] = [countOf(pages.length, "url"), countOf(pages.length, "check")];
    await note({
      fr: `vérification de ${urls.fr}, soit ${checks.fr} du quota.`,
      en: `checking ${urls.en}, which uses ${checks.en}.`,
    });
  }
  await io.showProgress(say(label, language), workAll);
  const left = pages.filter((page) => !results.has(page)).map(({ url }) => url);
  if (left.length > 0 && results.size > 0) {
    const urls = left.slice(0, MAX_LISTED).join(", ");
    const rest = describeRest(left.length - MAX_LISTED);
    await note({
      fr: `arrêt ; non vérifiées : ${urls}${rest.fr}.`,
      en: `stopped; not checked: ${urls}${rest.en}.`,
    });
  }
  return pages.flatMap((page) => results.get(page) ?? (ending ? [skip(page, ending)] : []));
}

const GATE_CODES: Readonly<Record<Gate["result"], ExitCode>> = {
  met: EXIT.done,
  unmet: EXIT.unmet,
  undecided: EXIT.inconclusive,
};

/** Worst first: an error, an unmet gate, an inconclusive verdict. */
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
