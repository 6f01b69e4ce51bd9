import * as z from "zod/mini";
import { matcherOf } from "./pattern.ts";

/** `*` means any characters. */
export const PagePattern = z
  .string()
  .check(
    z.regex(/^[/*](?![/\\])/),
    z.maxLength(1000),
    z.describe("the path of a page, such as /pricing, or of several, such as /legacy/*"),
  );

export const Acceptance = z.strictObject({
  rule: z.string().check(z.describe("the id of a rule, such as hdr.csp; not of reach")),
  pages: z.optional(
    z.array(PagePattern).check(z.minLength(1), z.describe("a list of paths, such as /legacy/*")),
  ),
  reason: z
    .string()
    .check(z.regex(/\S/), z.maxLength(1000), z.describe("why the finding is accepted")),
  until: z.iso
    .date()
    .check(z.describe("the last day on which it holds, in UTC, such as 2027-03-31")),
});
export type Acceptance = z.infer<typeof Acceptance>;

/** Failures of `reach` cannot be accepted: without the page there is nothing to assess. */
export const isAcceptable = (rule: string): boolean => !rule.startsWith("reach.");

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** A year from now. */
export const lastDayOf = (now: Date): string =>
  dayOf(now).replace(/^\d+/, String(now.getUTCFullYear() + 1));

export const isExpired = ({ until }: Acceptance, now: Date): boolean => until < dayOf(now);

const WARNED_DAYS = 14;

export const isEnding = (acceptance: Acceptance, now: Date): boolean =>
  !isExpired(acceptance, now) &&
  acceptance.until <= dayOf(new Date(now.getTime() + WARNED_DAYS * 86_400_000));

export const isAbout = ({ pages }: Acceptance, path: string): boolean =>
  pages === undefined || matcherOf(pages)(path);

const isFault = ({ status }: { readonly status: string }): boolean =>
  status === "fail" || status === "partial";

export function listAccepted(
  acceptances: readonly Acceptance[],
  path: string,
  findings: readonly { readonly id: string; readonly status: string }[],
  now: Date,
): Acceptance[] {
  const holding = acceptances.filter(
    (one) => isAcceptable(one.rule) && !isExpired(one, now) && isAbout(one, path),
  );
  return findings
    .filter(isFault)
    .flatMap(({ id }) => holding.find(({ rule }) => rule === id) ?? []);
}
