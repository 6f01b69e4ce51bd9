import { expect, test } from "vitest";
import { describeAge, describeDay, describeMoment } from "../../server/web/kit/time.tsx";

const NOW = new Date("2026-12-01T18:05:59Z");
const at = (text: string) => new Date(text);

test.each([
  ["2026-12-01T18:05:59Z", "1 second ago", "il y a 1 seconde"],
  ["2026-12-01T18:05:00Z", "59 seconds ago", "il y a 59 secondes"],
  ["2026-12-01T18:04:59Z", "1 minute ago", "il y a 1 minute"],
  ["2026-12-01T16:06:00Z", "1 hour ago", "il y a 1 heure"],
  ["2026-11-29T18:05:59Z", "2 days ago", "il y a 2 jours"],
  ["2026-10-01T18:05:59Z", "2 months ago", "il y a 2 mois"],
  ["2024-10-01T18:05:59Z", "2 years ago", "il y a 2 ans"],
  ["2026-12-01T18:20:59Z", "in 15 minutes", "dans 15 minutes"],
  ["2026-12-15T18:05:59Z", "in 14 days", "dans 14 jours"],
])("%s is %s, %s", (date, en, fr) => {
  expect(describeAge(at(date), NOW, "en")).toBe(en);
  expect(describeAge(at(date), NOW, "fr").replaceAll("\u00a0", " ")).toBe(fr);
});

test.each([
  ["en", null, "1 December 2026", "1 December 2026 at 18:05 UTC"],
  ["fr", null, "1er décembre 2026", "1er décembre 2026 à 18:05 UTC"],
  ["en", "Europe/Paris", "1 December 2026", "1 December 2026 at 19:05 CET"],
  ["fr", "Europe/Paris", "1er décembre 2026", "1er décembre 2026 à 19:05 UTC+1"],
  ["en", "Pacific/Auckland", "2 December 2026", "2 December 2026 at 07:05 GMT+13"],
  ["en", "Nowhere/Gone", "1 December 2026", "1 December 2026 at 18:05 UTC"],
] as const)("in %s and time zone %s it is %s", (language, timeZone, day, moment) => {
  const reader = { language, timeZone };
  expect(describeDay(NOW, reader)).toBe(day);
  expect(describeMoment(NOW, reader)).toBe(moment);
});
