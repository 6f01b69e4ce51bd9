import { describe, expect, test } from "vitest";
import { findLocalPeriod, findLocalTime, nextPeriod } from "../../server/base/syntax/local-time.ts";

test.each([
  ["Europe/Paris", "2026-07-01T12:00", "2026-07-01T10:00Z", "in summer"],
  ["Europe/Paris", "2026-03-29T02:30", "2026-03-29T01:30Z", "skipped: an hour later, 03:30"],
  ["America/New_York", "2026-03-08T02:15:30", "2026-03-08T07:15:30Z", "skipped in the west"],
  ["Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:45Z", "skipped half an hour"],
  ["Pacific/Apia", "2011-12-30T12:00", "2011-12-30T22:00Z", "a day that was skipped"],
  ["Asia/Kathmandu", "2026-01-01T00:00", "2025-12-31T18:15Z", "no whole hours"],
  ["UTC", "2026-01-01T00:00", "2026-01-01T00:00Z", "no offset"],
])("in %s, %s is %s (%s)", (zone, local, utc) => {
  expect(findLocalTime(local, zone, "first")).toEqual(new Date(utc));
  expect(findLocalTime(local, zone, "second")).toEqual(new Date(utc));
});

test.each([
  ["Europe/Paris", "2026-10-25T02:30", "2026-10-25T00:30Z", "2026-10-25T01:30Z"],
  ["America/New_York", "2026-11-01T01:00", "2026-11-01T05:00Z", "2026-11-01T06:00Z"],
  ["Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45Z", "2026-04-04T15:15Z"],
])("in %s, %s occurs twice", (zone, local, first, second) => {
  expect(findLocalTime(local, zone, "first")).toEqual(new Date(first));
  expect(findLocalTime(local, zone, "second")).toEqual(new Date(second));
});

test.each([
  ["Europe/Paris", "02:10", "02:50", "01:10Z", "01:50Z", "an hour later, inside the skip"],
  ["Europe/Paris", "02:00", "03:00", "01:00Z", "02:00Z", "an hour later, the skip itself"],
  ["Europe/Paris", "02:30", "03:00", "01:30Z", "02:00Z", "an hour later, to the end of the skip"],
  ["Europe/Paris", "01:30", "02:30", "00:30Z", "01:30Z", "ends an hour later, inside the skip"],
  ["Europe/Paris", "02:30", "03:30", "01:00Z", "01:30Z", "from the skip on"],
  ["Europe/Paris", "02:59", "03:01", "01:00Z", "01:01Z", "from the skip on, a minute"],
  ["Europe/Paris", "02:30", "03:31", "01:30Z", "01:31Z", "begins an hour later"],
  ["Europe/London", "01:30", "02:30", "01:00Z", "01:30Z", "from the skip on"],
])("a period at the skip in %s from %s to %s is %s to %s (%s)", (zone, from, to, start, end) => {
  const day = "2027-03-28T";
  const period = { from: new Date(day + start), to: new Date(day + end) };
  expect(findLocalPeriod(day + from, day + to, zone)).toEqual(period);
  const weekly = { day: "sunday", from, to };
  expect(nextPeriod(weekly, zone, new Date("2027-03-26T00:00Z"))).toEqual(period);
});

test("a period at a skip of half an hour begins at the skip", () => {
  const [from, to] = ["2026-10-04T02:15", "2026-10-04T02:40"];
  expect(findLocalPeriod(from, to, "Australia/Lord_Howe")).toEqual({
    from: new Date("2026-10-03T15:30Z"),
    to: new Date("2026-10-03T15:40Z"),
  });
});

test("a period that ends before it begins stays so", () => {
  const { from, to } = findLocalPeriod("2027-03-28T02:50", "2027-03-28T02:10", "Europe/Paris");
  expect(from.getTime()).toBeGreaterThan(to.getTime());
});

describe("a weekly period", () => {
  const sunday = (from: string, to: string) => ({ day: "sunday", from, to });

  test.each([
    [
      "is the next",
      sunday("02:00", "04:00"),
      "2026-11-27T00:00Z",
      "2026-11-29T01:00Z",
      "2026-11-29T03:00Z",
    ],
    [
      "is the one that runs",
      sunday("02:00", "04:00"),
      "2026-11-29T02:59Z",
      "2026-11-29T01:00Z",
      "2026-11-29T03:00Z",
    ],
    [
      "comes a week after its end",
      sunday("02:00", "04:00"),
      "2026-11-29T03:00Z",
      "2026-12-06T01:00Z",
      "2026-12-06T03:00Z",
    ],
    [
      "goes on over midnight",
      sunday("23:00", "01:00"),
      "2026-11-29T23:30Z",
      "2026-11-29T22:00Z",
      "2026-11-30T00:00Z",
    ],
    [
      "begins an hour later where the clocks skip its hour",
      sunday("02:30", "05:00"),
      "2026-03-28T00:00Z",
      "2026-03-29T01:30Z",
      "2026-03-29T03:00Z",
    ],
    [
      "has both hours where one comes twice",
      sunday("02:15", "02:45"),
      "2026-10-24T00:00Z",
      "2026-10-25T00:15Z",
      "2026-10-25T01:45Z",
    ],
    [
      "keeps its hour after the clocks change",
      sunday("02:00", "04:00"),
      "2026-10-25T03:00Z",
      "2026-11-01T01:00Z",
      "2026-11-01T03:00Z",
    ],
  ])("%s", (_what, weekly, after, from, to) => {
    expect(nextPeriod(weekly, "Europe/Paris", new Date(after))).toEqual({
      from: new Date(from),
      to: new Date(to),
    });
  });
});
