import { toneOf } from "../../../../shared/report/drawings.tsx";
import { describeVerdict, say } from "../../../../shared/report/words.ts";
import type { ReportPage, ReportSummary } from "../../../db/checks/reports.ts";
import type { Language } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { quotaOfAccount } from "../../../checks/quota.ts";
import type { TimeReader } from "../../kit/age.ts";
import { CHECK_NOW, FormKey } from "../../kit/check-now.tsx";
import { AddressField } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Empty, Pager } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { describeLeft, FORM, LIST } from "./check-words.ts";

const MAX_URL_LENGTH = 200;

/** The address that was checked, as it is kept; older rows have the host alone. */
const nameOf = ({ url, host }: ReportSummary) => oneLine(url ?? host, MAX_URL_LENGTH);

function NoChecks({ language }: { language: Language }) {
  return (
    <Empty>
      <p>{say(LIST.empty, language)}</p>
      <pre>
        <code>shipscore check https://www.example.com/</code>
      </pre>
      <p class="soft">
        {say(LIST.emptyHint, language)} <a href="/settings/api">{say(LIST.settings, language)}</a>.
      </p>
    </Empty>
  );
}

interface ChecksPageProps extends ReportPage {
  reader: TimeReader & Pick<SignedInRequest, "plan" | "checksAMonth">;
  /** What was typed into the form, and what is wrong with it. */
  filled: Filled;
  /** Whether it is not the first page. */
  isLater: boolean;
}

function CheckForm({ used, reader, filled }: Pick<ChecksPageProps, "used" | "reader" | "filled">) {
  const { language } = reader;
  const { values, problems } = filled;
  const { remaining } = quotaOfAccount(reader, used);
  return (
    <form method="post" action="/checks">
      <AddressField
        name="url"
        label={say(FORM.field, language)}
        value={values["url"]}
        placeholder="https://www.example.com/"
        hint={say(describeLeft(remaining), language)}
        problem={problems["url"]}
      >
        <button type="submit">{say(CHECK_NOW, language)}</button>
      </AddressField>
      <label class="option">
        <input type="checkbox" name="preview" checked={values["preview"] === "on"} />{" "}
        {say(FORM.preview, language)}
      </label>
      <FormKey />
    </form>
  );
}

/** The form of a check, and the API checks of an account, newest first. */
export function ChecksPage(props: ChecksPageProps) {
  const { reports, last, now, reader, isLater } = props;
  const { language } = reader;
  const title = say(LIST.title, language);
  return (
    <>
      <h1>{title}</h1>
      <CheckForm {...props} />
      <p class="lead">{say(LIST.lead, language)}</p>
      {reports.length === 0 && !isLater && <NoChecks language={language} />}
      {reports.length === 0 && isLater && <p>{say(LIST.end, language)}</p>}
      {reports.length > 0 && (
        <Table
          label={title}
          head={[LIST.page, LIST.score, LIST.verdict, LIST.when].map((one) => say(one, language))}
          rows={reports.map((report) => ({
            key: report.id,
            cells: [
              <a href={`/checks/${report.id}`}>{nameOf(report)}</a>,
              report.score,
              <span class={toneOf(report.verdict)}>
                {describeVerdict(report.verdict, language)}
              </span>,
              <Time at={report.startedAt} now={now} reader={reader} />,
            ],
          }))}
        />
      )}
      <Pager
        first={isLater ? "/checks" : undefined}
        next={last && `/checks?before=${last}`}
        language={language}
      />
    </>
  );
}
