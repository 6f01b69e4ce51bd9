import type { Timings, UncountedCheck } from "../../../../shared/check.ts";
import { Caps, Explanation, Head, Rest } from "../../../../shared/report/report.tsx";
import { say, TIMINGS, WORDS } from "../../../../shared/report/words.ts";
import type { Language } from "../../../base/language.ts";
import type { Scan } from "../../../scan/scans.ts";
import { describeDay } from "../../kit/age.ts";
import { AddressField, CopyField, FigureTable } from "../../kit/components.tsx";
import type { Site } from "../../kit/document.tsx";
import { readingIn } from "../../kit/reading.ts";
import { Time } from "../../kit/time.tsx";
import { Deleting } from "./scan-deleting.tsx";
import { HOME, REPORT } from "./scan-words.ts";
import { commandFor } from "./shell.ts";

const MASK = "***";
const KEPT_MS = 30 * 86_400_000;

interface AgainFormProps {
  url: string;
  language: Language;
}

/** Asks for a new scan of the same page. The scan has forgotten the values of an address's parameters. */
export function AgainForm({ url, language }: AgainFormProps) {
  const button = <button type="submit">{say(REPORT.again, language)}</button>;
  return (
    <form id="scan" method="post" action="/scan">
      <input type="hidden" name="again" value="1" />
      {url.includes(MASK) ? (
        <AddressField
          name="url"
          label={say(HOME.field, language)}
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

function Ci({ url, language }: AgainFormProps) {
  return (
    <section>
      <h2>{say(REPORT.ci, language)}</h2>
      <p>{say(REPORT.ciLead, language)}</p>
      <pre>
        <code>{commandFor(url)}</code>
      </pre>
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
  language: Language;
}

function Sharing({ scan, check, origin, language }: SharingProps) {
  const link = `${origin}/scan/${scan.id}`;
  const badge = `${link}/badge.svg`;
  const name = `Ship Score ${check.score}`;
  const end = describeDay(new Date(Date.parse(scan.startedAt) + KEPT_MS), {
    language,
    timeZone: null,
  });
  return (
    <section class="no-print">
      <h2>{say(REPORT.share, language)}</h2>
      <CopyField
        id="link"
        label={say(REPORT.link, language)}
        value={link}
        hint={`${say(REPORT.linkHint, language)} ${end}.`}
      />
      <p>
        <img src={`/scan/${scan.id}/badge.svg`} alt={name} height="20" />
      </p>
      <CopyField
        id="badge-markdown"
        label={say(REPORT.badgeMarkdown, language)}
        value={`[![${name}](${badge})](${link})`}
      />
      <CopyField
        id="badge-html"
        label={say(REPORT.badgeHtml, language)}
        value={`<a href="${link}"><img src="${badge}" alt="${name}"></a>`}
      />
    </section>
  );
}

interface ScanReportProps {
  scan: Scan;
  check: UncountedCheck;
  language: Language;
  site: Site;
  now: Date;
  deleteKey?: string | undefined;
}

/** The report of a scan that is done, and what can be done with it. */
export function ScanReport(props: ScanReportProps) {
  const { scan, check, language, site, now, deleteKey } = props;
  const reading = readingIn(language);
  const { origin = "" } = site;
  return (
    <>
      <Head check={check} reading={reading} />
      <Caps check={check} reading={reading} />
      <div class="actions">
        <AgainForm url={scan.url} language={language} />
        <span class="soft">
          <Time at={new Date(check.checkedAt)} now={now} reader={{ language, timeZone: null }} />
        </span>
      </div>
      <Explanation check={check} reading={reading} />
      <TimingTable check={check} language={language} />
      <Ci url={scan.url} language={language} />
      <Sharing scan={scan} check={check} origin={origin} language={language} />
      <Deleting id={scan.id} deleteKey={deleteKey} origin={origin} language={language} />
      <Rest check={check} reading={reading} />
      <p class="soft">
        {say(REPORT.ruleset, language)} {check.ruleset}, {say(REPORT.checkId, language)}{" "}
        <code>{check.id}</code>
      </p>
    </>
  );
}
