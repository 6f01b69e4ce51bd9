import type { Timings, UncountedCheck } from "../../../../shared/check.ts";
import { Caps, Explanation, Head, Rest } from "../../../../shared/report/report.tsx";
import { say, TIMINGS, WORDS } from "../../../../shared/report/words.ts";
import { SCAN_BOUNDS } from "../../../base/bounds.ts";
import type { Language, Text } from "../../../base/language.ts";
import type { Seen } from "../../../engine/evidence/evidence-file.ts";
import type { Scan } from "../../../scan/scans.ts";
import { describeDay } from "../../kit/age.ts";
import { AddressField, CopyField, FigureTable } from "../../kit/components.tsx";
import { MASK } from "../../kit/check-now.tsx";
import { CopyButton, CopyStatus } from "../../kit/copy.tsx";
import type { Reader, Site } from "../../kit/document.tsx";
import { readingIn } from "../../kit/reading.tsx";
import { SeenDetails } from "../../kit/seen.tsx";
import { Time } from "../../kit/time.tsx";
import { WatchLink } from "../../kit/watch.tsx";
import { Deleting } from "./scan-deleting.tsx";
import { describeEarly, HOME, REPORT } from "./scan-words.ts";
import { commandFor } from "./shell.ts";

const KEPT_MS = 30 * 86_400_000;

interface AgainFormProps {
  scan: Pick<Scan, "url" | "startedAt">;
  now: Date;
  language: Language;
}

const secondsUntilAgain = ({ scan: { startedAt }, now }: Pick<AgainFormProps, "scan" | "now">) =>
  Math.ceil(SCAN_BOUNDS.againSeconds - (now.getTime() - Date.parse(startedAt)) / 1000);

/**
 * Asks for a new scan of the same page. The scan has forgotten the values of an address's parameters. Too soon, the script
 * counts the seconds down on the button.
 */
export function AgainForm(props: AgainFormProps) {
  const { scan, language } = props;
  const { url } = scan;
  const wait = secondsUntilAgain(props);
  const isEarly = wait > 0;
  const button = (
    <button type="submit" hidden={isEarly} data-wait={isEarly ? wait : undefined}>
      {say(REPORT.again, language)}
    </button>
  );
  return (
    <form id="scan" method="post" action="/scan">
      <input type="hidden" name="again" value="1" />
      <input type="hidden" name="typed" value="1" />
      {url.includes(MASK) ? (
        <AddressField
          name="url"
          label={say(HOME.field, language)}
          value={url.replaceAll(MASK, "")}
          hint={say(REPORT.maskedHint, language)}
        >
          {button}
        </AddressField>
      ) : (
        <>
          <input type="hidden" name="url" value={url} />
          {button}
        </>
      )}
      {isEarly && <p class="soft early">{say(describeEarly(wait), language)}</p>}
    </form>
  );
}

/** Asks for a scan of another page. */
function AnotherForm({ language }: Pick<AgainFormProps, "language">) {
  return (
    <form class="no-print" method="post" action="/scan">
      <input type="hidden" name="typed" value="1" />
      <AddressField
        name="url"
        id="another"
        label={say(REPORT.another, language)}
        placeholder="example.com"
      >
        <button type="submit" class="second">
          {say(HOME.button, language)}
        </button>
      </AddressField>
    </form>
  );
}

function TimingTable({ check, language }: { check: UncountedCheck; language: Language }) {
  const names = Object.keys(TIMINGS) as (keyof Timings)[];
  return (
    <section>
      <h2>{say(WORDS.timings, language)}</h2>
      <FigureTable
        label={say(WORDS.timings, language)}
        rows={names.map((name) => {
          const ms = check.timings[name];
          const figure =
            ms === null ? say(WORDS.notReached, language) : `${Math.round(ms)}\u00a0ms`;
          return [say(TIMINGS[name], language), figure];
        })}
      />
    </section>
  );
}

function Ci({ url, language }: { url: string; language: Language }) {
  return (
    <section>
      <h2>{say(REPORT.ci, language)}</h2>
      <p>{say(REPORT.ciLead, language)}</p>
      <div class="paste">
        <pre class="fix-line">
          <code id="command">{commandFor(url)}</code>
        </pre>
        <CopyButton of="command" name={say(REPORT.command, language)} language={language} />
      </div>
      {url.includes(MASK) && <p class="soft">{say(REPORT.ciMasked, language)}</p>}
      <p class="soft">
        {say(REPORT.ciHint, language)} <code class="word">--preview</code>.
      </p>
    </section>
  );
}

interface SharingProps {
  scan: Scan;
  check: UncountedCheck;
  origin: string;
  reader: Reader;
}

function Sharing({ scan, check, origin, reader }: SharingProps) {
  const { language } = reader;
  const link = `${origin}/scan/${scan.id}`;
  const badge = `${link}/badge.svg`;
  const name = `Ship Score ${check.score}`;
  const end = describeDay(new Date(Date.parse(scan.startedAt) + KEPT_MS), reader);
  const html = `<a href="${link}"><img src="${badge}" alt="${name}"></a>`;
  const copied: readonly (readonly [id: string, label: Text, what: Text, value: string])[] = [
    ["link", REPORT.link, REPORT.theLink, link],
    ["badge-markdown", REPORT.badgeMarkdown, REPORT.theMarkdown, `[![${name}](${badge})](${link})`],
    ["badge-html", REPORT.badgeHtml, REPORT.theHtml, html],
  ];
  return (
    <section class="no-print">
      <h2>{say(REPORT.share, language)}</h2>
      <p>
        <img src={`/scan/${scan.id}/badge.svg`} alt={name} height="20" />
      </p>
      {copied.map(([id, label, what, value]) => (
        <CopyField key={id} id={id} label={say(label, language)} value={value}>
          <CopyButton of={id} name={say(what, language)} language={language} />
        </CopyField>
      ))}
      <p class="hint">
        {say(REPORT.linkHint, language)} {end}.
      </p>
    </section>
  );
}

interface ScanReportProps {
  scan: Scan;
  check: UncountedCheck;
  seen: Seen | undefined;
  reader: Reader;
  site: Site;
  now: Date;
  deleteKey?: string | undefined;
}

/** The report of a scan that is done, and what can be done with it. */
export function ScanReport(props: ScanReportProps) {
  const { scan, check, seen, reader, site, now, deleteKey } = props;
  const { language } = reader;
  const reading = readingIn(reader);
  const { origin = "" } = site;
  return (
    <>
      <Head check={check} reading={reading} />
      <Caps check={check} reading={reading} />
      <div class="actions">
        <AgainForm scan={scan} now={now} language={language} />
        <WatchLink url={check.url} language={language} />
        <span class="soft">
          <Time at={new Date(check.checkedAt)} now={now} reader={reader} />
        </span>
      </div>
      <CopyStatus />
      <Explanation check={check} reading={reading} />
      <Rest check={check} reading={reading} />
      {seen && <SeenDetails seen={seen} reader={reader} />}
      <TimingTable check={check} language={language} />
      <Ci url={scan.url} language={language} />
      <Sharing scan={scan} check={check} origin={origin} reader={reader} />
      <AnotherForm language={language} />
      <p class="soft">
        {say(REPORT.ruleset, language)} {check.ruleset}, {say(REPORT.checkId, language)}{" "}
        <code>{check.id}</code>
      </p>
      <Deleting id={scan.id} deleteKey={deleteKey} language={language} />
    </>
  );
}
