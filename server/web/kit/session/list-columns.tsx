import { toneOf } from "../../../../shared/report/drawings.tsx";
import { describeVerdict } from "../../../../shared/report/words.ts";
import type { ComponentChildren } from "preact";
import type { Text } from "../../../base/language.ts";
import { SiteLink } from "../address.tsx";
import { Time } from "../time.tsx";
import { useReader } from "../reader.tsx";

/** Stands where there is no figure. */
const DASH = "–";

const TITLES = {
  url: { fr: "URL", en: "URL" },
  score: { fr: "Score", en: "Score" },
  verdict: { fr: "Verdict", en: "Verdict" },
} as const;

type Has<Name extends string, Value> = Readonly<Record<Name, Value>>;

/** A column of files alone. */
export const plain = <Name extends string>(name: Name) => ({
  name,
  value: (row: Has<Name, string | number | null>) => row[name],
});

/** A column of pages too. */
export const shown = <Name extends string, Row extends Has<Name, string | number | null>>(
  name: Name,
  title: Text,
  show: (row: Row) => ComponentChildren,
) => ({ ...plain(name), title, show });

/** A time. */
export const time = <Name extends string>(name: Name, title: Text, sort?: string) => ({
  name,
  title,
  ...(sort && { sort }),
  value: (row: Has<Name, Date | null>) => row[name]?.toISOString() ?? null,
  show: (row: Has<Name, Date | null>) => (row[name] ? <Time at={row[name]} /> : DASH),
});

/** An address, by which one comes to the row's own page if it has one of this path; `within`: the project's. */
export const address = (pathOf?: (id: string) => string, within?: string) => ({
  ...plain("url"),
  title: TITLES.url,
  sort: "address",
  show: ({ id, url }: { id: string; url: string }) => (
    <SiteLink href={pathOf?.(id)} within={within} url={url} />
  ),
});

export const score = {
  ...plain("score"),
  title: TITLES.score,
  sort: "score",
  isFigure: true,
  show: (row: { score: number | null }) => row.score ?? DASH,
};

function VerdictCell({ verdict: said }: { verdict: string }) {
  return <span class={toneOf(said)}>{describeVerdict(said, useReader().language)}</span>;
}

export const verdict = shown("verdict", TITLES.verdict, (row: { verdict: string | null }) =>
  row.verdict ? <VerdictCell verdict={row.verdict} /> : DASH,
);
