import { say } from "../../../../shared/report/words.ts";
import type { HistoryDay } from "../../../db/projects/history.ts";
import type { Outage } from "../../../db/projects/project-page.ts";
import type { Language } from "../../../base/language.ts";
import { describeDay } from "../../kit/age.ts";
import { Chart, type ChartPoint } from "../../kit/chart.tsx";
import { Section } from "../../kit/layout.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { topOf } from "./history.tsx";
import { DASH } from "./parts.tsx";
import { WORDS } from "./project-words.ts";

const NOON = "T12:00:00Z";
/** What the chart of uptimes begins with, unless there were worse. */
const LEAST_UPTIME = 90;

const percents: Readonly<Record<Language, Intl.NumberFormat>> = {
  fr: new Intl.NumberFormat("fr-FR", { style: "percent", maximumFractionDigits: 2 }),
  en: new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 2 }),
};

interface DaysProps {
  days: readonly HistoryDay[];
  outages: readonly Outage[];
  signedIn: SignedInRequest;
}

function Charts({ days, outages, signedIn }: DaysProps) {
  const { language, now } = signedIn;
  const [first] = days;
  if (first === undefined || days.length < 2) return null;
  const from = new Date(first.day);
  const shared = {
    spans: outages.filter(({ to }) => to === null || to >= from),
    from,
    to: now,
    ends: [describeDay(from, { ...signedIn, timeZone: null }), say(WORDS.now, language)] as const,
  };
  const pointsOf = (valueOf: (day: HistoryDay) => number | null): ChartPoint[] =>
    days.flatMap((day) => {
      const value = valueOf(day);
      return value === null ? [] : [{ at: new Date(`${day.day}${NOON}`), value }];
    });
  const scores = pointsOf(({ score }) => score);
  const uptimes = pointsOf(({ uptime }) => uptime && uptime * 100);
  const firstBytes = pointsOf(({ firstByteMs }) => firstByteMs);
  const least = Math.min(...uptimes.map(({ value }) => value ?? 0));
  const charts = [
    { text: "score", points: scores, top: 100 },
    {
      text: "uptime",
      points: uptimes,
      top: 100,
      bottom: least < LEAST_UPTIME ? 0 : LEAST_UPTIME,
      unit: { fr: "\u00a0%", en: "%" }[language],
    },
    {
      text: "firstByte",
      points: firstBytes,
      top: topOf(firstBytes.map(({ value }) => value ?? 0)),
      unit: "\u00a0ms",
    },
  ] as const;
  return (
    <>
      {charts.map(({ text, ...chart }) =>
        chart.points.length < 2 ? null : (
          <Chart
            key={text}
            {...shared}
            {...chart}
            label={say(WORDS[text], language)}
            description={`${say(WORDS[text], language)}. ${say(WORDS.inDays, language)}`}
          />
        ),
      )}
    </>
  );
}

/** What became of the project's address, day by day: the figures of the operator's `history`. */
export function Days({ days, outages, signedIn }: DaysProps) {
  const { language } = signedIn;
  if (days.length === 0) return null;
  return (
    <Section id="days" title={say(WORDS.days, language)}>
      <Charts days={days} outages={outages} signedIn={signedIn} />
      <details open={days.length < 2}>
        <summary>{say(WORDS.dayByDay, language)}</summary>
        <table class="days" aria-labelledby="days">
          <thead>
            <tr>
              {[WORDS.day, WORDS.score, WORDS.uptime, WORDS.firstByte].map((text) => (
                <th scope="col">{say(text, language)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, score, uptime, firstByteMs }) => (
              <tr key={day}>
                <th scope="row">{describeDay(new Date(day), { ...signedIn, timeZone: null })}</th>
                <td>{score ?? DASH}</td>
                <td>{uptime === null ? DASH : percents[language].format(uptime)}</td>
                <td>{firstByteMs === null ? DASH : `${firstByteMs}\u00a0ms`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Section>
  );
}
