import { CategoryId, type FindingStatus } from "../../../../shared/check.ts";
import { CATEGORIES, describePoints, STATUSES } from "../../../../shared/report/words.ts";
import { RULESET, type RuledRow } from "../../../engine/judge/ruleset.ts";
import { FigureTable } from "../../kit/components.tsx";
import { renderDocument, type Site } from "../../kit/document.tsx";
import { useReader, useSay, type Reader } from "../../kit/reader.tsx";
import { STATUS_MEANINGS, WORDS } from "./rules-words.ts";

function RuleArticle({ row }: { row: RuledRow }) {
  const say = useSay();
  const { language } = useReader();
  const { rule } = row;
  const grades = Object.values(row.partial).map((points) => describePoints(points, language));
  return (
    <article class="rule" id={row.id} aria-labelledby={`${row.id}-title`}>
      <h3 id={`${row.id}-title`}>{say(rule.title)}</h3>
      <a class="soft" href={`#${row.id}`}>
        <code>{row.id}</code>
      </a>
      <dl>
        <dt>{say(WORDS.points)}</dt>
        <dd>
          {describePoints(row.points, language)}
          {grades.length > 0 && ` (${say(WORDS.partial)} ${grades.join(", ")})`}
        </dd>
        {row.cap !== null && rule.capReason && (
          <>
            <dt>{say(WORDS.cap)}</dt>
            <dd>
              {row.cap}. {say(rule.capReason)}
            </dd>
          </>
        )}
        <dt>{say(WORDS.measures)}</dt>
        <dd>{say(rule.measures)}</dd>
        <dt>{say(WORDS.matters)}</dt>
        <dd>{say(rule.matters)}</dd>
        <dt>{say(WORDS.fix)}</dt>
        <dd>
          {say(rule.fix)}
          {rule.fix.line !== undefined && (
            <pre>
              <code>{rule.fix.line}</code>
            </pre>
          )}
        </dd>
        <dt>{say(WORDS.statuses)}</dt>
        <dd>{row.statuses.map((status) => say(STATUSES[status])).join(", ")}</dd>
        <dt>{say(WORDS.standard)}</dt>
        <dd>
          <a href={rule.standard.url}>{rule.standard.name}</a>
        </dd>
      </dl>
    </article>
  );
}

function CategoryTable() {
  const say = useSay();
  const { language } = useReader();
  return (
    <FigureTable
      label={WORDS.contents}
      head={[say(WORDS.contents), say(WORDS.points)]}
      rows={CategoryId.options.map((id) => {
        const rows = RULESET.rows.filter((row) => row.category === id);
        const points = rows.reduce((sum, row) => sum + row.points, 0);
        const link = <a href={`#category-${id}`}>{say(CATEGORIES[id])}</a>;
        return [link, describePoints(points, language)];
      })}
    />
  );
}

function StatusList() {
  const say = useSay();
  const ids = Object.keys(STATUSES) as FindingStatus[];
  return (
    <dl>
      {ids.map((id) => (
        <>
          <dt>{say(STATUSES[id])}</dt>
          <dd>{say(STATUS_MEANINGS[id])}</dd>
        </>
      ))}
    </dl>
  );
}

function RulesPage() {
  const say = useSay();
  return (
    <>
      <h1>{say(WORDS.title)}</h1>
      <p class="soft">
        {say(WORDS.version)} {RULESET.version}
      </p>
      <p>{say(WORDS.intro)}</p>
      <p>{say(WORDS.verdicts)}</p>
      <CategoryTable />
      <h2>{say(WORDS.statuses)}</h2>
      <StatusList />
      {CategoryId.options.map((id) => (
        <section key={id} aria-labelledby={`category-${id}`}>
          <h2 id={`category-${id}`}>{say(CATEGORIES[id])}</h2>
          {RULESET.rows
            .filter((row) => row.category === id)
            .map((row) => (
              <RuleArticle key={row.id} row={row} />
            ))}
        </section>
      ))}
    </>
  );
}

/** The page /docs/rules: all rules of the ruleset, each with its id as anchor. */
export const renderRulesPage = (reader: Reader, site: Site = {}): string =>
  renderDocument({
    ...reader,
    title: WORDS.title,
    description: WORDS.description,
    site,
    children: <RulesPage />,
  });
