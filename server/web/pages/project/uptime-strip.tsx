import { say } from "../../../../shared/report/words.ts";
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

/** What happened on a day, as a bar. */
function barOf({ start, known }: UptimeDay<HistoryDay>, props: UptimeStripProps): StripBar {
  const { signedIn } = props;
  const { language } = signedIn;
  const { watchedMs, maintainedMs } = timesOf(start, props, signedIn.now);
  const maintenance =
    maintainedMs < 1000
      ? []
      : [`${say(MAINTENANCE.word, language)} ${describeMs(maintainedMs, language)}`];
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
    ...(failing >= 1000
      ? [`${say(WORDS.failingFor, language)} ${describeMs(failing, language)}`]
      : []),
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
  const shown = listDays(days, DAYS, now);
  const uptime = totalUptime(shown, props, now);
  return (
    <>
      <p>
        {uptime !== undefined && <strong>{describeUptime(uptime, language)}</strong>}{" "}
        {note && <span class="soft">{note}</span>}
      </p>
      <Strip bars={shown.map((day) => barOf(day, props))} label={label} />
    </>
  );
}
