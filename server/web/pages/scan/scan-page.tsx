import { listCosts } from "../../../../shared/report/costs.ts";
import { T, useReader, type Reader, type Wording } from "../../kit/reader.tsx";
import { describeVerdict, say, typeset } from "../../../../shared/report/words.ts";
import type { Language } from "../../../../shared/language.ts";
import type { UncountedCheck } from "../../../../shared/check.ts";
import type { PageAnswers } from "../../../engine/evidence/packed-evidence.ts";
import { cleanCheck } from "../../../checks/report.ts";
import type { Scan } from "../../../scan/scans.ts";
import { oneLine, oneLineEach } from "../../../base/syntax/text.ts";
import { Notice } from "../../kit/components.tsx";
import { renderDocument, renderPart, type Site } from "../../kit/document.tsx";
import { describeProgress, Progress } from "../../kit/progress.tsx";
import { Deleting } from "./delete-page.tsx";
import { AgainForm, Details, ScanReport } from "./scan-report.tsx";
import { SCAN_SCRIPT } from "./scan-script.ts";
import { describeCostlyRules, describeHttpsAssumption, FAILED, PROGRESS } from "./scan-words.ts";

interface ScanPageProps {
  scan: Scan;
  /** HTML, once the scan is done. */
  details?: string | undefined;
  /** The entered URL was completed with https. */
  isCompleted?: boolean;
  site: Site;
  /** Only the browser that started the scan has it. */
  deleteKey?: string | undefined;
}

interface ScanPageOptions extends ScanPageProps {
  reader: Reader;
}

const MAX_TEXT_LENGTH = 1200;
const MAX_TITLE_LENGTH = 80;

function titleOf({ url, state, check }: Scan): Wording {
  const page = oneLine(url.replace(/^https:\/\//, ""), MAX_TITLE_LENGTH);
  if (check) return `Ship Score ${check.score}, ${page}`;
  const { fr, en } = state === "failed" ? FAILED.title : PROGRESS.title;
  return { fr: `${fr}, ${page}`, en: `${en}, ${page}` };
}

function describeCheck(check: UncountedCheck, language: Language): string {
  const costs = say(describeCostlyRules(listCosts(check).length), language);
  return `${describeVerdict(check.verdict, language)}. ${costs}`;
}

function Failed({ scan }: { scan: Scan }) {
  const { language } = useReader();
  return (
    <>
      <h1 class="address">{scan.url}</h1>
      <Notice tone="bad">
        <p>
          <strong>
            <T text={FAILED.title} />
          </strong>
        </p>
        <p>{typeset(scan.failure ?? FAILED.unknown[language], language)}</p>
        <p>
          <T text={FAILED.advice} />
        </p>
      </Notice>
      <AgainForm scan={scan} />
    </>
  );
}

const isEnded = ({ state }: Scan) => state === "done" || state === "failed";

function ScanPage({ isCompleted, details = "", ...props }: ScanPageProps) {
  const { scan, deleteKey } = props;
  const { id, url, check } = scan;
  return (
    <>
      {isCompleted && (
        <Notice tone="good">
          <p>
            <T text={describeHttpsAssumption(url)} />
          </p>
        </Notice>
      )}
      {check && <ScanReport {...props} check={check} details={details} />}
      {!check && !isEnded(scan) && (
        <Progress name={url} made={scan} path={`/scan/${id}`} hint={PROGRESS.reloads} />
      )}
      {!check && isEnded(scan) && (
        <>
          <Failed scan={scan} />
          <Deleting id={id} deleteKey={deleteKey} />
        </>
      )}
    </>
  );
}

const cleanScan = ({ check, ...scan }: Scan): Scan => ({
  ...oneLineEach(scan, MAX_TEXT_LENGTH),
  ...(check && { check: cleanCheck(check) }),
});

export function renderScanDetails(
  reader: Reader,
  scan: Scan,
  seen?: PageAnswers,
): string | undefined {
  const { url, check } = cleanScan(scan);
  return check && renderPart(reader, <Details url={url} check={check} seen={seen} />);
}

export function renderScanPage({ reader, ...page }: ScanPageOptions): string {
  const { language } = reader;
  const scan = cleanScan(page.scan);
  const { id, check } = scan;
  return renderDocument({
    ...reader,
    title: titleOf(scan),
    description: check ? describeCheck(check, language) : describeProgress(scan, language),
    site: page.site,
    isIndexed: false,
    refresh: isEnded(scan) ? undefined : (reader.path ?? `/scan/${id}`),
    script: SCAN_SCRIPT,
    children: <ScanPage {...page} scan={scan} />,
  });
}
