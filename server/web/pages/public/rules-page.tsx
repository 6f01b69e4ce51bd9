import { CategoryId, type FindingStatus } from "../../../../shared/check.ts";
import { CATEGORIES, describePoints, STATUSES, say } from "../../../../shared/report/words.ts";
import type { Language, Text } from "../../../base/language.ts";
import { RULESET, type RuledRow } from "../../../engine/judge/ruleset.ts";
import { FigureTable } from "../../kit/components.tsx";
import { renderDocument, type Reader, type Site } from "../../kit/document.tsx";
import { STATUS_MEANINGS, WORDS } from "./rules-words.ts";

type Speak = (words: Text) => string;

function RuleArticle({
  row,
  speak,
  language,
}: {
  row: RuledRow;
  speak: Speak;
  language: Language;
}) {
  const { rule } = row;
  const grades = Object.values(row.partial).map((points) => describePoints(points, language));
  return (
    <article class="rule" id={row.id} aria-labelledby={`${row.id}-title`}>
      <h3 id={`${row.id}-title`}>{speak(rule.title)}</h3>
      <a class="soft" href={`#${row.id}`}>
        <code>{row.id}</code>
      </a>
      <dl>
        <dt>{speak(WORDS.points)}</dt>
        <dd>
          {describePoints(row.points, language)}
          {grades.length > 0 && ` (${speak(WORDS.partial)} ${grades.join(", ")})`}
        </dd>
        {row.cap !== null && rule.capReason && (
          <>
            <dt>{speak(WORDS.cap)}</dt>
            <dd>
              {row.cap}. {speak(rule.capReason)}
            </dd>
          </>
        )}
        <dt>{speak(WORDS.measures)}</dt>
        <dd>{speak(rule.measures)}</dd>
        <dt>{speak(WORDS.matters)}</dt>
        <dd>{speak(rule.matters)}</dd>
        <dt>{speak(WORDS.fix)}</dt>
        <dd>
          {speak(rule.fix)}
          {rule.fix.line !== undefined && (
            <pre>
              <code>{rule.fix.line}</code>
            </pre>
          )}
        </dd>
        <dt>{speak(WORDS.statuses)}</dt>
        <dd>{row.statuses.map((status) => speak(STATUSES[status])).join(", ")}</dd>
        <dt>{speak(WORDS.standard)}</dt>
        <dd>
          <a href={rule.standard.url}>{rule.standard.name}</a>
        </dd>
      </dl>
    </article>
  );
}

function CategoryTable({ speak, language }: { speak: Speak; language: Language }) {
  return (
    <FigureTable
      label={speak(WORDS.contents)}
      head={[speak(WORDS.contents), speak(WORDS.points)]}
      rows={CategoryId.options.map((id) => {
        const rows = RULESET.rows.filter((row) => row.category === id);
        const points = rows.reduce((sum, row) => sum + row.points, 0);
        const link = <a href={`#category-${id}`}>{speak(CATEGORIES[id])}</a>;
        return [link, describePoints(points, language)];
      })}
    />
  );
}

function StatusList({ speak }: { speak: Speak }) {
  const ids = Object.keys(STATUSES) as FindingStatus[];
  return (
    <dl>
      {ids.map((id) => (
        <>
          <dt>{speak(STATUSES[id])}</dt>
          <dd>{speak(STATUS_MEANINGS[id])}</dd>
        </>
      ))}
    </dl>
  );
}

/** The page /docs/rules: all rules of the ruleset, each with its id as anchor. */
export function renderRulesPage(reader: Reader, site: Site = {}): string {
  const { language } = reader;
  const speak: Speak = (words) => say(words, language);
  return renderDocument({
    ...reader,
    title: speak(WORDS.title),
    description: speak(WORDS.description),
    site,
    children: (
      <>
        <h1>{speak(WORDS.title)}</h1>
        <p class="soft">
          {speak(WORDS.version)} {RULESET.version}
        </p>
        <p>{speak(WORDS.intro)}</p>
        <p>{speak(WORDS.verdicts)}</p>
        <CategoryTable speak={speak} language={language} />
        <h2>{speak(WORDS.statuses)}</h2>
        <StatusList speak={speak} />
        {CategoryId.options.map((id) => (
          <section key={id} aria-labelledby={`category-${id}`}>
            <h2 id={`category-${id}`}>{speak(CATEGORIES[id])}</h2>
            {RULESET.rows
              .filter((row) => row.category === id)
              .map((row) => (
                <RuleArticle key={row.id} row={row} speak={speak} language={language} />
              ))}
          </section>
        ))}
      </>
    ),
  });
}
