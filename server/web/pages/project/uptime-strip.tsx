import type { HistoryDay } from "../../../db/projects/history.ts";
import { DAYS } from "../../../db/projects/project-page.ts";
import { describeDay, describeMs } from "../../kit/age.ts";
import { Strip, type StripBar } from "../../kit/chart.tsx";
import {
  describeUptime,
  listDays,
  timesOf,
  toneOf,
  totalUptime,
  type UptimeDay,
} from "../../kit/uptime.ts";
import type { MaintainedTime } from "../../../db/watching/maintenance.ts";
import { useReader, type PageReader } from "../../kit/reader.tsx";
import type { Text } from "../../../base/language.ts";
import { MAINTENANCE } from "./maintenance-words.ts";
import { WORDS } from "./project-words.ts";

interface Watched {
  /** The days with data. */
  days: readonly HistoryDay[];
  watchedSince: Date | null;
  maintained: readonly MaintainedTime[];
}

interface UptimeStripProps {
  watched: Watched;
  note?: Text;
}

/** What happened on a day, as a bar. */
function barOf(
  { start, known }: UptimeDay<HistoryDay>,
  watched: Watched,
  reader: PageReader,
): StripBar {
  const { language, now } = reader;
  const { watchedMs, maintainedMs } = timesOf(start, watched, now);
  const maintenance =
    maintainedMs < 1000
      ? []
      : [`${reader.say(MAINTENANCE.word)} ${describeMs(maintainedMs, language)}`];
  const day = describeDay(new Date(start), { ...reader, timeZone: null });
  const uptime = known?.uptime ?? null;
  if (known === undefined || uptime === null)
    return {
      tone: "none",
      title: maintenance[0] ? `${day}, ${maintenance[0]}` : `${day}${reader.say(WORDS.notWatched)}`,
    };
  const failing = watchedMs * (1 - uptime);
  const told = [
    `${describeUptime(uptime, language)} ${reader.say(WORDS.up)}`,
    ...(failing >= 1000
      ? [`${reader.say(WORDS.failingFor)} ${describeMs(failing, language)}`]
      : []),
    ...maintenance,
    ...(known.score === null ? [] : [`${reader.say(WORDS.score)} ${known.score}`]),
    ...(known.firstByteMs === null
      ? []
      : [`${reader.say(WORDS.firstByte)} ${known.firstByteMs}\u00a0ms`]),
  ];
  return { tone: toneOf(uptime), title: `${day}${reader.say(WORDS.colon)}${told.join(", ")}` };
}

/** The uptime of an address over 30 days, and a bar for each of them. */
export function UptimeStrip({ watched, note }: UptimeStripProps) {
  const reader = useReader();
  const { language, now, say } = reader;
  const shown = listDays(watched.days, DAYS, now);
  const uptime = totalUptime(shown, watched, now);
  return (
    <>
      <p>
        {uptime !== undefined && <strong>{describeUptime(uptime, language)}</strong>}{" "}
        {note && <span class="soft">{say(note)}</span>}
      </p>
      <Strip bars={shown.map((day) => barOf(day, watched, reader))} label={say(WORDS.uptime)} />
    </>
  );
}
