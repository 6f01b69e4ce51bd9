import { CategoryId, type FindingStatus } from "../../../../shared/check.ts";
import { CATEGORIES, describePoints, STATUSES } from "../../../../shared/report/words.ts";
import { RULESET, type RuledRow } from "../../../engine/judge/ruleset.ts";
import { FigureTable } from "../../kit/components.tsx";
import { renderDocument, type Site } from "../../kit/document.tsx";
import { FactList } from "../../kit/layout.tsx";
import { T, useReader, useSay, type Reader } from "../../kit/reader.tsx";
import { STATUS_MEANINGS, WORDS } from "./rules-words.ts";

function RuleArticle({ row }: { row: RuledRow }) {
  const say = useSay();
  const { language } = useReader();
  const { rule } = row;
  const grades = Object.values(row.partial).map((points) => describePoints(points, language));
  return (
    <article class="rule" id={row.id} aria-labelledby={`${row.id}-title`}>
      <h3 id={`${row.id}-title`}>
        <T text={rule.title} />
      </h3>
      <a class="soft" href={`#${row.id}`}>
        <code>{row.id}</code>
      </a>
      <FactList
        facts={[
          [
            WORDS.points,
            `${describePoints(row.points, language)}${grades.length > 0 ? ` (${say(WORDS.partial)} ${grades.join(", ")})` : ""}`,
          ],
          [
            WORDS.cap,
            row.cap !== null && rule.capReason && [`${row.cap}. `, <T text={rule.capReason} />],
          ],
          [WORDS.measures, <T text={rule.measures} />],
          [WORDS.matters, <T text={rule.matters} />],
          [
            WORDS.fix,
            [
              <T text={rule.fix} />,
              rule.fix.line !== undefined && (
                <pre>
                  <code>{rule.fix.line}</code>
                </pre>
              ),
            ],
          ],
          [WORDS.statuses, row.statuses.map((status) => say(STATUSES[status])).join(", ")],
          [WORDS.standard, <a href={rule.standard.url}>{rule.standard.name}</a>],
        ]}
      />
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
        const link = (
          <a href={`#category-${id}`}>
            <T text={CATEGORIES[id]} />
          </a>
        );
        return [link, describePoints(points, language)];
      })}
    />
  );
}

const STATUS_FACTS = (Object.keys(STATUSES) as FindingStatus[]).map(
  (id) => [STATUSES[id], <T text={STATUS_MEANINGS[id]} />] as const,
);

function RulesPage() {
  return (
    <>
      <h1>
        <T text={WORDS.title} />
      </h1>
      <p class="soft">
        <T text={WORDS.version} /> {RULESET.version}
      </p>
      <p>
        <T text={WORDS.intro} />
      </p>
      <p>
        <T text={WORDS.verdicts} />
      </p>
      <CategoryTable />
      <h2>
        <T text={WORDS.statuses} />
      </h2>
      <FactList facts={STATUS_FACTS} />
      {CategoryId.options.map((id) => (
        <section key={id} aria-labelledby={`category-${id}`}>
          <h2 id={`category-${id}`}>
            <T text={CATEGORIES[id]} />
          </h2>
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
