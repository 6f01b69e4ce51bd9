import { say } from "../../../../shared/report/words.ts";
import type { HistoryDay } from "../../../db/projects/history.ts";
import { DAYS } from "../../../db/projects/project-page.ts";
import { describeDay, describeLength } from "../../kit/age.ts";
import { Strip, type StripBar } from "../../kit/chart.tsx";
import { DAY_MS, describeUptime, toneOf } from "../../kit/uptime.ts";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import type { MaintainedTime } from "../../../db/watching/maintenance.ts";
import { MAINTENANCE } from "./maintenance-words.ts";
import { WORDS } from "./project-words.ts";

interface UptimeStripProps {
  /** The days with data. */
  days: readonly HistoryDay[];
  watchedSince: Date | null;
  maintained: readonly MaintainedTime[];
  label: string;
  note?: string;
  signedIn: SignedInRequest;
}

/** How long the address was watched on a day (UTC), and how much of that it was under maintenance, in milliseconds. */
function timesOf(start: number, { watchedSince, maintained, signedIn: { now } }: UptimeStripProps) {
  const from = Math.max(start, watchedSince?.getTime() ?? start);
  const to = Math.min(start + DAY_MS, now.getTime());
  const lengths = maintained.map((time) =>
    Math.max(0, Math.min(to, time.to.getTime()) - Math.max(from, time.from.getTime())),
  );
  const maintainedMs = lengths.reduce((sum, length) => sum + length, 0);
  return { watchedMs: Math.max(0, to - from - maintainedMs), maintainedMs };
}

/** What happened on a day, as a bar. */
function barOf(start: number, known: HistoryDay | undefined, props: UptimeStripProps): StripBar {
  const { signedIn } = props;
  const { language } = signedIn;
  const { watchedMs, maintainedMs } = timesOf(start, props);
  const lengthOf = (ms: number) => describeLength(new Date(0), new Date(ms), language);
  const maintenance =
    maintainedMs < 1000 ? [] : [`${say(MAINTENANCE.word, language)} ${lengthOf(maintainedMs)}`];
  const day = describeDay(new Date(start), { ...signedIn, timeZone: null });
  const uptime = known?.uptime ?? null;
  if (known === undefined || uptime === null)
    return {
      tone: "none",
      title: maintenance[0]
        ? `${day}, ${maintenance[0]}`
        : `${day}${say(WORDS.notWatched, language)}`,
    };
  const failing = watchedMs * (1 - uptime);
  const told = [
    `${describeUptime(uptime, language)} ${say(WORDS.up, language)}`,
    ...(failing >= 1000 ? [`${say(WORDS.failingFor, language)} ${lengthOf(failing)}`] : []),
    ...maintenance,
    ...(known.score === null ? [] : [`${say(WORDS.score, language)} ${known.score}`]),
    ...(known.firstByteMs === null
      ? []
      : [`${say(WORDS.firstByte, language)} ${known.firstByteMs}\u00a0ms`]),
  ];
  return { tone: toneOf(uptime), title: `${day}${say(WORDS.colon, language)}${told.join(", ")}` };
}

/** The uptime of an address over 30 days, and a bar for each of them. */
export function UptimeStrip(props: UptimeStripProps) {
  const { days, label, note, signedIn } = props;
  const { language, now } = signedIn;
  const known = new Map(days.map((day) => [Date.parse(day.day), day]));
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const starts = Array.from({ length: DAYS }, (_, place) => today - (DAYS - 1 - place) * DAY_MS);
  const watched = starts.flatMap((start) => {
    const uptime = known.get(start)?.uptime ?? null;
    return uptime === null ? [] : [{ uptime, ms: timesOf(start, props).watchedMs }];
  });
  const ms = watched.reduce((sum, day) => sum + day.ms, 0);
  const upMs = watched.reduce((sum, day) => sum + day.ms * day.uptime, 0);
  return (
    <>
      <p>
        {ms > 0 && <strong>{describeUptime(upMs / ms, language)}</strong>}{" "}
        {note && <span class="soft">{note}</span>}
      </p>
      <Strip bars={starts.map((start) => barOf(start, known.get(start), props))} label={label} />
    </>
  );
}
