import { beforeEach, describe, expect, test } from "vitest";
import { createPacing, type Pacing } from "../../server/watching/pacing.ts";
import type { DueUrl } from "../../server/db/watching/looks.ts";

let now: number;
let pacing: Pacing;
let number = 0;

beforeEach(() => {
  now = 1_000_000;
  number = 0;
  pacing = createPacing(() => now);
});

const due = (url: string, more: Partial<DueUrl> = {}): DueUrl => ({
  number: ++number,
  queue: 1,
  silences: 0,
  id: `url_${number}`,
  projectId: "prj_1",
  url,
  isAddress: false,
  dueAt: "",
  lastOutcome: "good",
  streak: 1,
  failingSince: null,
  failedFrom: [],
  failsFrom: null,
  lookFrom: null,
  onePlace: false,
  hasOpenIncident: false,
  isVerifyDue: false,
  beganAt: "",
  ...more,
});
const many = (count: number, url: string) => Array.from({ length: count }, () => due(url));
const choose = (urls: readonly DueUrl[], places = 100) => pacing.choose(urls, () => places-- > 0);
const takenOf = (urls: DueUrl[], places = 100) =>
  choose(urls, places).taken.map(({ number: taken }) => taken);

describe("of the URLs that are due", () => {
  test("no more are taken than there are places, and the others stay as they are", () => {
    const urls = [due("https://a.example/"), due("https://b.example/"), due("https://c.example/")];
    expect(choose(urls, 2)).toMatchObject({
      taken: [{ number: 1 }, { number: 2 }],
      putOff: [],
    });
  });

  test("two of a registrable domain are, the others are put off by half a second each", () => {
    const names = ["www.shop.co.uk", "blog.shop.co.uk", "shop.co.uk", "cdn.shop.co.uk"];
    const { taken, putOff } = choose(names.map((name) => due(`https://${name}/`)));
    expect(taken.map((url) => url.number)).toEqual([1, 2]);
    expect(putOff).toEqual([
      { number: 3, seconds: 1 },
      { number: 4, seconds: 1.5 },
    ]);
  });

  test("of different sites at one public suffix each is a host of its own, and so is an address", () => {
    expect(takenOf(["a", "b", "c"].map((name) => due(`https://${name}.github.io/`)))).toHaveLength(
      3,
    );
    expect(takenOf(many(3, "https://127.0.0.1/"))).toHaveLength(2);
  });

  test("10,000 of one host stand before nobody else", () => {
    const { taken, putOff } = choose(
      [...many(10_000, "https://big.example/"), due("https://small.example/")],
      5,
    );
    expect(taken.map(({ url }) => url)).toEqual([
      "https://big.example/",
      "https://big.example/",
      "https://small.example/",
    ]);
    expect(putOff).toHaveLength(9998);
    expect(Math.max(...putOff.map(({ seconds }) => seconds))).toBeLessThanOrEqual(3600);
  });

  test("those that an account has put off at a host are behind its own, and before nobody else's", () => {
    const crowd = many(1000, "https://shared.example/");
    expect(choose(crowd).putOff.at(-1)?.seconds).toBe(499.5);
    const other = due("https://shared.example/", { queue: 2 });
    for (let look = 0; look < 2; look++) pacing.begin("https://shared.example/", false);
    expect(choose([other]).putOff).toEqual([{ number: other.number, seconds: 1.5 }]);
  });

  test("one that decides an incident does not queue behind the others of its host", () => {
    const confirming = due("https://big.example/failed", { lastOutcome: "failed" });
    const backlog = many(1000, "https://big.example/");
    expect(takenOf([...backlog, confirming])).toContain(confirming.number);
    for (let look = 0; look < 2; look++) pacing.begin("https://big.example/", true);
    const { putOff } = choose([...backlog, confirming]);
    expect(putOff.find((one) => one.number === confirming.number)?.seconds).toBe(0.5);
  });
});

test("a host gets two looks at once, and two begin within a second, however short they are", () => {
  const url = "https://a.example/";
  const ends = [pacing.begin(url, false), pacing.begin(url, false)];
  now += 5000;
  expect(takenOf(many(2, url))).toHaveLength(0);
  ends[0]?.();
  expect(takenOf(many(2, url))).toHaveLength(1);
  pacing.begin(url, true)();
  ends[1]?.();
  expect(takenOf(many(2, url))).toHaveLength(1);
  pacing.begin(url, true)();
  now += 999;
  expect(takenOf(many(2, url))).toHaveLength(0);
  now += 1;
  expect(takenOf(many(2, url))).toHaveLength(2);
});

test("what was chosen has its place at the host until it begins, or for a second", () => {
  const url = "https://a.example/";
  expect(pacing.hasRoom(url)).toBe(true);
  expect(takenOf(many(2, url))).toHaveLength(2);
  expect(pacing.hasRoom(url)).toBe(false);
  now += 1000;
  expect(pacing.hasRoom(url)).toBe(true);
});

test("what begins unchosen takes no place of what was chosen", () => {
  const url = "https://a.example/";
  expect(takenOf(many(1, url))).toHaveLength(1);
  pacing.begin(url, false)();
  expect(takenOf(many(1, url))).toHaveLength(0);
});
