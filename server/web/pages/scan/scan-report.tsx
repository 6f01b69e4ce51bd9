import type { Timings, UncountedCheck } from "../../../../shared/check.ts";
import { T, useReader, useSay } from "../../kit/reader.tsx";
import { FreeList } from "../../../../shared/report/findings.tsx";
import { Caps, Explanation, Head } from "../../../../shared/report/report.tsx";
import { TIMINGS, WORDS } from "../../../../shared/report/words.ts";
import { SCAN_BOUNDS, SCANS_KEPT_DAYS } from "../../../base/bounds.ts";
import type { Text } from "../../../../shared/language.ts";
import type { PageAnswers } from "../../../engine/evidence/packed-evidence.ts";
import type { Scan } from "../../../scan/scans.ts";
import { describeDay, describeMilliseconds, Time } from "../../kit/time.tsx";
import { Button, CopyField, FigureTable, CopyButton, CopyStatus } from "../../kit/components.tsx";
import { AddressField } from "../../kit/fields.tsx";
import { MASK, WatchLink } from "../../kit/check-now.tsx";
import type { Site } from "../../kit/document.tsx";
import { useReading } from "../../kit/report-locale.tsx";
import { ResponseDetails } from "../../kit/response-details.tsx";
import { Deleting } from "./delete-page.tsx";
import { describeRescanWait, HOME, REPORT } from "./scan-words.ts";
import { SHIP_SCORE } from "../../../../shared/verdict.ts";
import { quoteForShell } from "../../../base/syntax/text.ts";

function commandFor(url: string): string {
  return `shipscore-server exec -- shipscore check ${quoteForShell(url)} --min-score ${SHIP_SCORE}`;
}

const KEPT_MS = SCANS_KEPT_DAYS * 86_400_000;

const secondsUntilAgain = ({ startedAt }: Pick<Scan, "startedAt">, now: Date) =>
  Math.ceil(SCAN_BOUNDS.againSeconds - (now.getTime() - Date.parse(startedAt)) / 1000);

/**
 * Masked values of the URL must be entered again, because the scan did not keep them. While it is too early, the script
 * counts down on the button.
 */
export function AgainForm({ scan }: { scan: Pick<Scan, "url" | "startedAt"> }) {
  const { url } = scan;
  const wait = secondsUntilAgain(scan, useReader().now);
  const isEarly = wait > 0;
  const button = (
    <button type="submit" hidden={isEarly} data-wait={isEarly ? wait : undefined}>
      <T text={REPORT.again} />
    </button>
  );
  return (
    <form id="scan" method="post" action="/scan">
      <input type="hidden" name="again" value="1" />
      <input type="hidden" name="typed" value="1" />
      {url.includes(MASK) ? (
        <AddressField
          name="url"
          label={HOME.field}
          value={url.replaceAll(MASK, "")}
          hint={REPORT.maskedHint}
        >
          {button}
        </AddressField>
      ) : (
        <>
          <input type="hidden" name="url" value={url} />
          {button}
        </>
      )}
      {isEarly && (
        <p class="soft early">
          <T text={describeRescanWait(wait)} />
        </p>
      )}
    </form>
  );
}

function AnotherForm() {
  return (
    <form class="no-print" method="post" action="/scan">
      <input type="hidden" name="typed" value="1" />
      <AddressField name="url" id="another" label={REPORT.another} placeholder="example.com">
        <Button label={HOME.button} tone="second" />
      </AddressField>
    </form>
  );
}

function TimingTable({ check }: { check: UncountedCheck }) {
  const { language, say } = useReader();
  const names = Object.keys(TIMINGS) as (keyof Timings)[];
  return (
    <section>
      <h2>
        <T text={WORDS.timings} />
      </h2>
      <FigureTable
        label={WORDS.timings}
        rows={names.map((name) => {
          const ms = check.timings[name];
          const figure = ms === null ? say(WORDS.notReached) : describeMilliseconds(ms, language);
          return [say(TIMINGS[name]), figure];
        })}
      />
    </section>
  );
}

function Ci({ url }: { url: string }) {
  const say = useSay();
  return (
    <section>
      <h2>
        <T text={REPORT.ci} />
      </h2>
      <p>
        <T text={REPORT.ciLead} />
      </p>
      <div class="paste">
        <pre class="fix-line">
          <code id="command">{commandFor(url)}</code>
        </pre>
        <CopyButton of="command" name={say(REPORT.command)} />
      </div>
      {url.includes(MASK) && (
        <p class="soft">
          <T text={REPORT.ciMasked} />
        </p>
      )}
      <p class="soft">
        <T text={REPORT.ciHint} /> <code class="word">--preview</code>.
      </p>
    </section>
  );
}

interface SharingProps {
  scan: Scan;
  check: UncountedCheck;
  origin: string;
}

function Sharing({ scan, check, origin }: SharingProps) {
  const link = `${origin}/scan/${scan.id}`;
  const badge = `${link}/badge.svg`;
  const name = `Ship Score ${check.score}`;
  const end = describeDay(new Date(Date.parse(scan.startedAt) + KEPT_MS), useReader());
  const html = `<a href="${link}"><img src="${badge}" alt="${name}"></a>`;
  const copied: readonly (readonly [id: string, label: Text, what: Text, value: string])[] = [
    ["link", REPORT.link, REPORT.theLink, link],
    ["badge-markdown", REPORT.badgeMarkdown, REPORT.theMarkdown, `[![${name}](${badge})](${link})`],
    ["badge-html", REPORT.badgeHtml, REPORT.theHtml, html],
  ];
  return (
    <section class="no-print">
      <h2>
        <T text={REPORT.share} />
      </h2>
      <p>
        <img src={`/scan/${scan.id}/badge.svg`} alt={name} height="20" />
      </p>
      {copied.map(([id, label, what, value]) => (
        <CopyField key={id} id={id} label={label} value={value} name={what} />
      ))}
      <p class="hint">
        <T text={REPORT.linkHint} /> {end}.
      </p>
    </section>
  );
}

interface DetailsProps {
  url: string;
  check: UncountedCheck;
  seen?: PageAnswers | undefined;
}

/** The slowest part of a report to render. It does not depend on the time, so it can be cached. */
export function Details({ url, check, seen }: DetailsProps) {
  const reading = useReading();
  return (
    <>
      <Explanation check={check} reading={reading} />
      <FreeList check={check} reading={reading} />
      {seen && <ResponseDetails seen={seen} />}
      <TimingTable check={check} />
      <Ci url={url} />
    </>
  );
}

interface ScanReportProps {
  scan: Scan;
  check: UncountedCheck;
  /** HTML. */
  details: string;
  site: Site;
  deleteKey?: string | undefined;
}

export function ScanReport({ scan, check, details, site, deleteKey }: ScanReportProps) {
  const reading = useReading();
  return (
    <>
      <Head check={check} reading={reading} />
      <Caps check={check} reading={reading} />
      <div class="actions">
        <AgainForm scan={scan} />
        <WatchLink url={check.url} />
        <span class="soft">
          <Time at={new Date(check.checkedAt)} />
        </span>
      </div>
      <CopyStatus />
      <div dangerouslySetInnerHTML={{ __html: details }} />
      <Sharing scan={scan} check={check} origin={site.origin ?? ""} />
      <AnotherForm />
      <p class="soft">
        <T text={REPORT.ruleset} /> {check.ruleset}, <T text={REPORT.checkId} />{" "}
        <code>{check.id}</code>
      </p>
      <Deleting id={scan.id} deleteKey={deleteKey} />
    </>
  );
}
