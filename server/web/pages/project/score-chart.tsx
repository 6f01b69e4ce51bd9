import { useReader, type PageReader } from "../../kit/reader.tsx";
import { DAYS, type ProjectPage } from "../../../db/projects/project-page.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { describeDay, describeLength, describeMoment, describeShortDay } from "../../kit/time.tsx";
import { Chart, ChartKey, type ChartMark, type ChartSpan } from "../../kit/chart.tsx";
import { Section } from "../../kit/layout.tsx";
import { MAINTENANCE } from "./maintenance-words.ts";
import { WORDS } from "./project-words.ts";
import { gainOf, isShip, nameVersion, scoreOf } from "./deployment-figures.ts";
import { describeGain } from "../../kit/comparison.tsx";

const DAY_MS = 86_400_000;
/** Only the latest incidents are drawn: each adds a link and a title to the page. */
const MOST_SPANS = 15;
const LONGEST_URL = 50;
const THIRDS = [0, 1, 2, 3];

interface ChartSource {
  project: ProjectPage;
  reader: PageReader;
}

function markShips({ project, reader }: ChartSource): ChartMark[] {
  const { language } = reader;
  return project.deployments.rows.filter(isShip).flatMap((ship) => {
    const value = scoreOf(ship);
    if (value === null) return [];
    const gain = gainOf(ship);
    const score = gain === null ? String(value) : `${value} (${describeGain(gain, language)})`;
    const name = nameVersion(ship) || reader.say(WORDS.deployment);
    const title = `${score}, ${name}, ${describeMoment(ship.deployedAt, reader)}`;
    const href = `/deployments/${ship.id}`;
    return [{ at: ship.deployedAt, value, kind: "deployment" as const, title, href }];
  });
}

/** Marks the last score of each day (UTC) at noon. */
function markDays({ project: { days }, reader }: ChartSource): ChartMark[] {
  return days.flatMap(({ day, score }) => {
    if (score === null) return [];
    const start = Date.parse(day);
    const at = new Date(Math.min(start + DAY_MS / 2, reader.now.getTime()));
    const title = `${score}, ${describeDay(at, { ...reader, timeZone: null })}`;
    return [{ at, value: score, kind: "day" as const, title }];
  });
}

function markIncidents({ project: { outages }, reader }: ChartSource): ChartSpan[] {
  const { language, now } = reader;
  return outages
    .toSorted((a, b) => b.from.getTime() - a.from.getTime())
    .slice(0, MOST_SPANS)
    .map(({ id, url, from, to }) => {
      const length = describeLength(from, to ?? now, language);
      const title = `${reader.say(WORDS.spans)}, ${length}, ${oneLine(url, LONGEST_URL)}`;
      return { from, to, title, href: `/incidents/${id}` };
    });
}

function markMaintenance({ project: { maintained }, reader }: ChartSource): ChartSpan[] {
  return maintained.slice(0, MOST_SPANS).map((time) => ({
    ...time,
    title: `${reader.say(MAINTENANCE.word)}, ${describeLength(time.from, time.to, reader.language)}`,
  }));
}

export function ScoreChart({ project }: { project: ProjectPage }) {
  const reader = useReader();
  const { now, say } = reader;
  const source = { project, reader };
  const earliest = new Date(now.getTime() - DAYS * DAY_MS);
  const marks = [...markShips(source), ...markDays(source)]
    .filter(({ at }) => at >= earliest)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const [first] = marks;
  if (first === undefined || marks.length < 2) return null;
  const from = first.at;
  const spans = [...markMaintenance(source), ...markIncidents(source)].filter(
    ({ to }) => to === null || to >= from,
  );
  const days = THIRDS.map((third) =>
    describeShortDay(
      new Date(from.getTime() + ((now.getTime() - from.getTime()) * third) / 3),
      reader,
    ),
  );
  const dates = days.map((day, position) => (day === days[position - 1] ? "" : day));
  const kinds = [
    ["deployment", WORDS.ships],
    ["day", WORDS.days],
    ["spans", WORDS.spans],
    ["planned", MAINTENANCE.word],
  ] as const;
  const isShown = (kind: (typeof kinds)[number][0]) =>
    kind === "spans" || kind === "planned"
      ? spans.some(({ href }) => (href === undefined) === (kind === "planned"))
      : marks.some((mark) => mark.kind === kind);
  return (
    <Section id="scores" title={WORDS.scores}>
      <ChartKey
        marks={kinds.flatMap(([kind, words]) =>
          isShown(kind) ? [[kind, say(words)] as const] : [],
        )}
      />
      <Chart
        description={say(WORDS.scoresDescription)}
        marks={marks}
        spans={spans}
        from={from}
        to={now}
        dates={dates}
      />
    </Section>
  );
}
