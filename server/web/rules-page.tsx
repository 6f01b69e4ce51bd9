import {
  type CategoryId,
  CategoryId as CategoryIds,
  type FindingStatus,
} from "../../shared/check.ts";
import type { Language, Text } from "../language.ts";
import { text } from "../verify/rule.ts";
import { ROWS, RULESET_VERSION, type RuledRow } from "../verify/ruleset.ts";
import { renderDocument, typesetFrench } from "./document.tsx";

const CATEGORIES: Readonly<Record<CategoryId, Text>> = {
  reach: text("Accès", "Reach"),
  tls: text("TLS et certificat", "TLS and certificate"),
  redirects: text("Redirections", "Redirects"),
  headers: text("En-têtes de sécurité", "Security headers"),
  cookies: text("Cookies et CORS", "Cookies and CORS"),
  html: text("HTML et référencement", "HTML and search engines"),
  assets: text("Fichiers et liens", "Files and links"),
  performance: text("Performance", "Performance"),
};

const STATUSES: Readonly<Record<FindingStatus, Text>> = {
  pass: text("réussie", "pass"),
  partial: text("partielle", "partial"),
  fail: text("échouée", "fail"),
  unknown: text("indéterminée", "unknown"),
  not_applicable: text("sans objet", "not applicable"),
  blocked: text("bloquée", "blocked"),
};

const STATUS_MEANINGS: Readonly<Record<FindingStatus, Text>> = {
  pass: text("tous les points", "all of the points"),
  partial: text("une part des points", "a part of the points"),
  fail: text(
    "aucun point, et le plafond de la règle si elle en a un",
    "no point, and the rule's cap if it has one",
  ),
  unknown: text(
    "n'a pas pu être mesurée : aucun point dans le score, tous dans le haut de sa fourchette",
    "could not be measured: no point in the score, all of them in the top of its range",
  ),
  not_applicable: text("rien à juger : tous les points", "nothing to judge: all of the points"),
  blocked: text(
    "la règle dont elle dépend a échoué, et une cause ne se paie qu'une fois : tous les points",
    "the rule that it depends on failed, and one cause is charged once: all of the points",
  ),
};

const WORDS = {
  title: text("Les règles du Ship Score", "The rules of the Ship Score"),
  intro: text(
    "Le score va de 0 à 100. Chaque règle vaut un nombre de points fixe, leur somme est 100, et le score est la somme des points gagnés, arrondie vers le bas. Une règle qui échoue peut le plafonner.",
    "The score goes from 0 to 100. Each rule is worth a fixed number of points, they make 100 together, and the score is the sum of the points earned, rounded down. A rule that fails may cap it.",
  ),
  verdicts: text(
    "À 80 et plus, la page peut sortir ; de 60 à 79, avec des réserves ; en dessous, non. Si moins de 70 % des points ont pu être jugés, le verdict n'est pas concluant, sauf si un plafond inférieur à 79 décide.",
    "At 80 and more the page may ship; from 60 to 79, with warnings; below, not. Where fewer than 70% of the points could be judged the verdict is inconclusive, unless a cap below 79 decides.",
  ),
  version: text("Version des règles", "Ruleset"),
  contents: text("Catégories", "Categories"),
  statuses: text("Statuts", "Statuses"),
  points: text("Points", "Points"),
  partial: text("dont en partie", "in part"),
  cap: text("Plafond", "Cap"),
  measures: text("Mesure", "Measures"),
  matters: text("Enjeu", "Why it matters"),
  fix: text("Remède", "Fix"),
  standard: text("Référence", "Standard"),
} as const;

type Speak = (words: Text) => string;

function formatPoints(points: number, language: Language): string {
  return language === "fr" ? String(points).replace(".", ",") : String(points);
}

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
  const grades = Object.values(row.partial).map((points) => formatPoints(points, language));
  return (
    <article id={row.id} aria-labelledby={`${row.id}-title`}>
      <h3 id={`${row.id}-title`}>{speak(rule.title)}</h3>
      <a class="soft" href={`#${row.id}`}>
        <code>{row.id}</code>
      </a>
      <dl>
        <dt>{speak(WORDS.points)}</dt>
        <dd>
          {formatPoints(row.points, language)}
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
        <dd>{speak(rule.fix)}</dd>
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
    <table>
      <thead>
        <tr>
          <th scope="col">{speak(WORDS.contents)}</th>
          <th scope="col">{speak(WORDS.points)}</th>
        </tr>
      </thead>
      <tbody>
        {CategoryIds.options.map((id) => {
          const rows = ROWS.filter((row) => row.category === id);
          const points = rows.reduce((sum, row) => sum + row.points, 0);
          return (
            <tr key={id}>
              <td>
                <a href={`#category-${id}`}>{speak(CATEGORIES[id])}</a>
              </td>
              <td>{formatPoints(points, language)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
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

/** The page /docs/rules: every rule of the ruleset, each under its id as anchor. */
export function renderRulesPage(language: Language = "fr"): string {
  const speak: Speak = (words) => (language === "fr" ? typesetFrench(words.fr) : words.en);
  return renderDocument({
    language,
    title: speak(WORDS.title),
    children: (
      <>
        <h1>{speak(WORDS.title)}</h1>
        <p class="soft">
          {speak(WORDS.version)} {RULESET_VERSION}
        </p>
        <p>{speak(WORDS.intro)}</p>
        <p>{speak(WORDS.verdicts)}</p>
        <CategoryTable speak={speak} language={language} />
        <h2>{speak(WORDS.statuses)}</h2>
        <StatusList speak={speak} />
        {CategoryIds.options.map((id) => (
          <section key={id} aria-labelledby={`category-${id}`}>
            <h2 id={`category-${id}`}>{speak(CATEGORIES[id])}</h2>
            {ROWS.filter((row) => row.category === id).map((row) => (
              <RuleArticle key={row.id} row={row} speak={speak} language={language} />
            ))}
          </section>
        ))}
      </>
    ),
  });
}
