import { type FindingStatus, CategoryId } from "../../../../shared/check.ts";
import {
  DECIDING_CAP,
  MIN_COVERAGE,
  SHIP_SCORE,
  WARNINGS_SCORE,
} from "../../../../shared/verdict.ts";
import type { Text } from "../../../../shared/language.ts";
import {
  CATEGORIES,
  describePoints,
  STATUSES,
  WORDS as REPORT,
} from "../../../../shared/report/words.ts";
import { RULESET, type RuledRow } from "../../../engine/judge/ruleset.ts";
import { EnglishLink, FigureTable } from "../../kit/components.tsx";
import { renderDocument, type Site } from "../../kit/document.tsx";
import { FactList } from "../../kit/layout.tsx";
import { T, useReader, useSay, type Reader } from "../../kit/reader.tsx";

export const STATUS_MEANINGS: Readonly<Record<FindingStatus, Text>> = {
  pass: { fr: "tous les points", en: "all points" },
  partial: { fr: "une partie des points", en: "some of the points" },
  fail: {
    fr: "aucun point, et le plafond de la règle si elle en a un",
    en: "no points, and the rule's cap if it has one",
  },
  unknown: {
    fr: "n'a pas pu être vérifiée : elle ajoute au score les points de son pire résultat, souvent 0, et tous ses points à la borne haute de la fourchette",
    en: "could not be checked: it adds the points of its worst outcome, often 0, to the score, and all its points to the upper end of the range",
  },
  not_applicable: {
    fr: "rien à vérifier : tous les points",
    en: "nothing to check: all points",
  },
  blocked: {
    fr: "la règle dont elle dépend est en échec, et une même cause n'est comptée qu'une fois : tous les points",
    en: "the rule that it depends on failed, and one cause counts only once: all points",
  },
};

export const WORDS = {
  title: { fr: "Les règles du Ship Score", en: "The rules of the Ship Score" },
  description: {
    fr: "Chaque règle du Ship Score : ce qu'elle vérifie, ce qu'elle vaut, pourquoi elle compte et comment la respecter.",
    en: "Each rule of the Ship Score: what it checks, what it is worth, why it matters and how to pass it.",
  },
  intro: {
    fr: "Le score va de 0 à 100. Chaque règle vaut un nombre fixe de points, 100 au total, et le score est la somme des points obtenus, arrondie à l'entier inférieur. Une règle en échec peut le plafonner.",
    en: "The score goes from 0 to 100. Each rule is worth a fixed number of points, 100 in total, and the score is the sum of the points earned, rounded down. A rule that fails may cap it.",
  },
  verdicts: {
    fr: `À partir de ${SHIP_SCORE}, la page est bonne à livrer ; de ${WARNINGS_SCORE} à ${SHIP_SCORE - 1}, elle l'est avec des réserves ; en dessous, elle ne l'est pas. Si moins de ${MIN_COVERAGE} % des points ont pu être vérifiés, le verdict est non concluant, sauf si un plafond inférieur à ${DECIDING_CAP} s'applique. Il l'est aussi si le score est inférieur à ${WARNINGS_SCORE} et que les points non vérifiés pourraient le porter à ${WARNINGS_SCORE} ou plus. Par exemple, une page qui répond 404 obtient 20 points au plus, quel que soit le reste.`,
    en: `At ${SHIP_SCORE} and above, the page is fit to ship; from ${WARNINGS_SCORE} to ${SHIP_SCORE - 1}, it ships with warnings; below that, do not ship. If fewer than ${MIN_COVERAGE}% of the points could be checked, the verdict is inconclusive, unless a cap below ${DECIDING_CAP} applies. It is also inconclusive if the score is under ${WARNINGS_SCORE} and the points not checked could raise it to ${WARNINGS_SCORE} or more. For example, a page that returns 404 gets at most 20, regardless of the rest.`,
  },
  version: { fr: "Version des règles", en: "Ruleset" },
  contents: { fr: "Catégories", en: "Categories" },
  statuses: { fr: "Statuts", en: "Statuses" },
  points: { fr: "Points", en: "Points" },
  partial: { fr: "points partiels :", en: "partial points:" },
  cap: { fr: "Plafond", en: "Cap" },
  measures: REPORT.measures,
  why: REPORT.why,
  fix: REPORT.fix,
  standard: { fr: "Référence", en: "Standard" },
} as const;

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
          [WORDS.why, <T text={rule.why} />],
          [
            WORDS.fix,
            [
              <T text={rule.fix} />,
              ...(rule.fix.lines ?? []).map((line) => (
                <pre>
                  <code>{line}</code>
                </pre>
              )),
            ],
          ],
          [WORDS.statuses, row.statuses.map((status) => say(STATUSES[status])).join(", ")],
          [
            WORDS.standard,
            <EnglishLink href={rule.standard.url}>{rule.standard.name}</EnglishLink>,
          ],
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

const describeStatuses = () =>
  (Object.keys(STATUSES) as FindingStatus[]).map(
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
      <FactList facts={describeStatuses()} />
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

/** The anchor of a rule is its id. */
export const renderRulesPage = (reader: Reader, site: Site = {}): string =>
  renderDocument({
    ...reader,
    title: WORDS.title,
    description: WORDS.description,
    site,
    children: <RulesPage />,
  });
