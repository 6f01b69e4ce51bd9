import { listCosts } from "../../../../shared/report/costs.ts";
import { describeVerdict, isSingular, say } from "../../../../shared/report/words.ts";
import type { Language } from "../../../base/language.ts";
import type { UncountedCheck } from "../../../../shared/check.ts";
import type { Seen } from "../../../engine/evidence/evidence-file.ts";
import type { Scan } from "../../../scan/scans.ts";
import { oneLine, oneLineEach } from "../../../base/syntax/one-line.ts";
import { Notice } from "../../kit/components.tsx";
import { renderDocument, type Reader, type Site } from "../../kit/document.tsx";
import { describeProgress, Progress } from "../../kit/progress.tsx";
import { Deleting } from "./scan-deleting.tsx";
import { AgainForm, ScanReport } from "./scan-report.tsx";
import { SCAN_SCRIPT } from "./scan-script.ts";
import { describeCompleted, FAILED, PROGRESS, REPORT } from "./scan-words.ts";

export interface ScanPageOptions extends Reader {
  site: Site;
  scan: Scan;
  /** What the page's own answers said, once it is done. */
  seen?: Seen | undefined;
  /** True where the address that was given was not one of https. */
  isCompleted?: boolean;
  now: Date;
  /** With it the scan can be deleted; only for the one who started it. */
  deleteKey?: string | undefined;
}

const MAX_TEXT_LENGTH = 1200;
const MAX_TITLE_LENGTH = 80;

function titleOf({ url, state, check }: Scan, language: Language): string {
  const page = oneLine(url.replace(/^https:\/\//, ""), MAX_TITLE_LENGTH);
  if (check) return `Ship Score ${check.score}, ${page}`;
  return `${say(state === "failed" ? FAILED.title : PROGRESS.title, language)}, ${page}`;
}

function describeCheck(check: UncountedCheck, language: Language): string {
  const costly = listCosts(check).length;
  const words = isSingular(costly, language) ? REPORT.oneCosts : REPORT.manyCost;
  return `${describeVerdict(check.verdict, language)}. ${costly} ${say(words, language)}`;
}

function Failed({ scan, now, language }: { scan: Scan; now: Date; language: Language }) {
  return (
    <>
      <h1 class="address">{scan.url}</h1>
      <Notice tone="bad">
        <p>
          <strong>{say(FAILED.title, language)}</strong>
        </p>
        <p>{scan.failure ?? say(FAILED.unknown, language)}</p>
        <p>{say(FAILED.advice, language)}</p>
      </Notice>
      <AgainForm scan={scan} now={now} language={language} />
    </>
  );
}

/** The page of a scan: how far it is, its report, or why there is none. */
export function renderScanPage(options: ScanPageOptions): string {
  const { site, now, seen, deleteKey, isCompleted, scan: _, ...reader } = options;
  const { language } = reader;
  const scan = oneLineEach(options.scan, MAX_TEXT_LENGTH);
  const { state, check } = scan;
  const isEnded = state === "done" || state === "failed";
  return renderDocument({
    ...reader,
    title: titleOf(scan, language),
    description: check ? describeCheck(check, language) : describeProgress(scan, language),
    site,
    isIndexed: false,
    refresh: isEnded ? undefined : (reader.path ?? `/scan/${scan.id}`),
    script: SCAN_SCRIPT,
    children: (
      <>
        {isCompleted && (
          <Notice tone="good">
            <p>{say(describeCompleted(scan.url), language)}</p>
          </Notice>
        )}
        {check && <ScanReport {...{ scan, check, seen, reader, site, now, deleteKey }} />}
        {!check && !isEnded && (
          <Progress
            name={scan.url}
            made={scan}
            path={`/scan/${scan.id}`}
            hint={PROGRESS.reloads}
            language={language}
          />
        )}
        {!check && isEnded && <Failed scan={scan} now={now} language={language} />}
        {!check && isEnded && <Deleting id={scan.id} deleteKey={deleteKey} language={language} />}
      </>
    ),
  });
}
