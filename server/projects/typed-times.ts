import * as z from "zod";
import { isTimeZone } from "../access/account-settings.ts";
import { AppError } from "../base/errors.ts";
import { fault, type InputFault } from "../base/input-faults.ts";
import { findLocalPeriod, findLocalTime, type Period } from "../base/syntax/local-time.ts";

export const Zone = z.string().refine(isTimeZone, fault("zone_unknown"));

export const Note = z
  .string()
  .trim()
  .regex(/^\P{Cc}{0,500}$/u, fault("note_invalid"))
  .transform((text) => text || null);

const TIME_SHAPE =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?(Z|[+-][01]\d:[0-5]\d)?$/;
const Day = z.iso.date();

interface Clocks {
  zone: string | undefined;
  now: Date;
}

/** A local time has no offset, and is normalized for `findLocalTime`. Throws `input_invalid`. */
function parseTime(text: string, { zone, now }: Clocks): Date | { local: string; zone: string } {
  if (text === "now") return now;
  const typed = text.trim().replace(" ", "T");
  const refusal = (what: InputFault) => new AppError("input_invalid", { fault: what, value: text });
  const [, day, offset] = TIME_SHAPE.exec(typed) ?? [];
  if (!Day.safeParse(day).success) throw refusal("time_invalid");
  if (offset !== undefined) return new Date(typed);
  if (zone === undefined) throw refusal("zone_missing");
  return { local: typed, zone };
}

/** A time without an offset is local to `zone`. Throws `input_invalid`. */
export function readTime(text: string, clocks: Clocks): Date {
  const time = parseTime(text, clocks);
  return time instanceof Date ? time : findLocalTime(time.local, time.zone, "first");
}

/** Like `readTime`. The end of a period that occurs twice is its second occurrence. */
export function readPeriod(typed: { from: string; to: string }, clocks: Clocks): Period {
  const [from, to] = [parseTime(typed.from, clocks), parseTime(typed.to, clocks)];
  if (!(from instanceof Date) && !(to instanceof Date))
    return findLocalPeriod(from.local, to.local, from.zone);
  return {
    from: readTime(typed.from, clocks),
    to: to instanceof Date ? to : findLocalTime(to.local, to.zone, "second"),
  };
}
