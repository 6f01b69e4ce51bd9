import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createJudgement, type Judgement } from "../../server/watching/judgement.ts";
import { createRunningLooks, type RunningLooks } from "../../server/watching/running-looks.ts";
import { NO_LOOK, type Look } from "../../server/engine/judge/look-outcome.ts";

const REASON = { fr: "Rien ne répond.", en: "Nothing answers." };
const FAILED: Look = { ...NO_LOOK, outcome: "failed", reason: REASON, isOwnFault: false };
const GOOD: Look = { ...NO_LOOK, outcome: "good", isAnswered: true, isOwnFault: false };
const WITHHELD = { outcome: "inconclusive", reason: null, isOwnFault: true };
const MINE = "https://www.mine.example/";
const PEERS = ["https://a.one.example/", "https://b.two.example/", "https://c.three.example/"];

let runningLooks: RunningLooks;
let good: string[];
/** The domains that answer. */
let answering: Set<string>;
let asked: string[];
let lines: string[];
let withheld: number;
let stoodMs: number;
let ending: AbortController;

beforeEach(() => {
  runningLooks = createRunningLooks();
  good = [...PEERS];
  answering = new Set();
  asked = [];
  lines = [];
  withheld = 0;
  stoodMs = 0;
  ending = new AbortController();
});
afterEach(() => ending.abort());

function open(times: { againMs?: number; maxMs?: number } = {}): Judgement {
  const note = (_: object, line: string) => void lines.push(line);
  const judgement = createJudgement({
    findGood: async () => good,
    async lookAt(url) {
      asked.push(url);
      await sleep(1);
      return answering.has(new URL(url).hostname.split(".").slice(-2).join(".")) ? GOOD : NO_LOOK;
    },
    runningLooks,
    standstill: () => stoodMs,
    log: { warn: note, info: note },
    onChange: (isWithheld) => void (withheld = Number(isWithheld)),
    draining: ending.signal,
    ...times,
  });
  judgement.watch();
  return judgement;
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await sleep(5);
};

test("a site that answers is believed without its peers", async () => {
  const judgement = open();
  const error = { ...FAILED, isAnswered: true };
  for (const look of [GOOD, error]) expect(await judgement.confirm(look, MINE)).toBe(look);
  expect(asked).toEqual([]);
});

test("a fault of this server withholds judgement of all sites, unless one has just answered", async () => {
  const judgement = open();
  await judgement.confirm(GOOD, PEERS[0] ?? "");
  expect(await judgement.confirm(NO_LOOK, MINE)).toBe(NO_LOOK);
  expect(asked).toEqual([]);

  const silent = open();
  expect(await silent.confirm(NO_LOOK, MINE)).toBe(NO_LOOK);
  expect(asked).toHaveLength(3);
  expect(await silent.confirm(FAILED, MINE)).toMatchObject(WITHHELD);
  expect(lines).toEqual([expect.stringContaining("judgement withheld")]);
});

test("a process that stood still withholds judgement until something answers", async () => {
  const judgement = open({ againMs: 20 });
  stoodMs = 60_000;
  await until(() => withheld === 1);
  expect(lines).toEqual(["judgement withheld: this server stood still for 60 s"]);
  expect(await judgement.confirm(FAILED, MINE)).toMatchObject(WITHHELD);
  answering = new Set(["one.example"]);
  await until(() => withheld === 0);
  expect(await judgement.confirm(FAILED, MINE)).toBe(FAILED);
});

test.each<[string, string[], string[]]>([
  ["no other URL is known to be good", [], []],
  ["two others are", PEERS.slice(0, 2), []],
  [
    "all others are of its own domain",
    ["https://a.mine.example/", "https://b.mine.example/", "https://mine.example/"],
    [],
  ],
  [
    "three others are, of two domains",
    ["https://a.one.example/", "https://b.one.example/", "https://c.two.example/"],
    [],
  ],
  ["one of three answers", PEERS, ["three.example"]],
])("a failure is believed if %s", async (_, known, answers) => {
  good = known;
  answering = new Set(answers);
  expect(await open().confirm(FAILED, MINE)).toBe(FAILED);
  expect(withheld).toBe(0);
  expect(lines).toEqual([]);
});

test("only three URLs of other domains are probed, however many there are", async () => {
  good = ["https://x.mine.example/", ...PEERS, "https://d.four.example/", "https://e.one.example/"];
  answering = new Set(["two.example"]);
  await open().confirm(FAILED, MINE);
  expect(asked).toHaveLength(3);
  expect(asked.join()).not.toContain("mine.example");
});

test("if none of three answers, judgement is withheld from all until one does", async () => {
  const judgement = open({ againMs: 20 });
  expect(await judgement.confirm(FAILED, MINE)).toMatchObject(WITHHELD);
  expect(withheld).toBe(1);
  for (const url of [...PEERS, MINE])
    expect(await judgement.confirm(FAILED, url)).toMatchObject(WITHHELD);
  await until(() => asked.length >= 12);
  expect(lines).toEqual([expect.stringContaining("judgement withheld")]);

  answering = new Set(["one.example"]);
  await until(() => withheld === 0);
  expect(await judgement.confirm(FAILED, MINE)).toBe(FAILED);
  expect(lines).toEqual([
    expect.stringContaining("judgement withheld"),
    expect.not.stringContaining("withheld"),
  ]);
});

test("failures at the same time share their peers, and none is its own peer", async () => {
  good = [...PEERS, MINE];
  const judgement = open();
  const looks = await Promise.all(good.map((url) => judgement.confirm(FAILED, url)));
  for (const look of looks) expect(look).toMatchObject(WITHHELD);
  expect(asked.toSorted()).toEqual(good.toSorted());
  expect(lines).toHaveLength(1);
});

test("a hundred failures while other sites answer cost few requests", async () => {
  answering = new Set(["one.example", "two.example", "three.example"]);
  const judgement = open();
  const urls = Array.from({ length: 100 }, (_, index) => `https://u${index}.mine.example/`);
  for (const look of await Promise.all(urls.map((url) => judgement.confirm(FAILED, url))))
    expect(look).toBe(FAILED);
  expect(asked).toHaveLength(3);
});

test("judgement resumes after the longest time, and is withheld again only after an answer", async () => {
  const judgement = open({ againMs: 10, maxMs: 50 });
  expect(await judgement.confirm(FAILED, MINE)).toMatchObject(WITHHELD);
  await until(() => withheld === 0);
  expect(await judgement.confirm(FAILED, MINE)).toBe(FAILED);

  answering = new Set(["two.example"]);
  expect(await judgement.confirm(FAILED, MINE)).toBe(FAILED);
  answering = new Set();
  expect(await judgement.confirm(FAILED, MINE)).toMatchObject(WITHHELD);
});

const occupy = (urls: string[]) =>
  urls.flatMap((url) => [runningLooks.begin({ url }), runningLooks.begin({ url })]);

test("a peer whose host has its probes comes last and is not waited for", async () => {
  occupy(PEERS.slice(0, 2));
  good.push("https://d.four.example/");
  expect(await open().confirm(FAILED, MINE)).toMatchObject(WITHHELD);
  expect(asked).toEqual([PEERS[2], good[3]]);
});

test("if all hosts have their probes, a recent answer decides", async () => {
  occupy(PEERS);
  expect(await open().confirm(FAILED, MINE)).toMatchObject(WITHHELD);
  const judgement = open();
  await judgement.confirm(GOOD, PEERS[0] ?? "");
  expect(await judgement.confirm(FAILED, MINE)).toBe(FAILED);
  expect(asked).toEqual([]);
});

test("an unreachable database withholds judgement", async () => {
  const judgement = createJudgement({
    findGood: () => Promise.reject(new Error("away")),
    lookAt: () => Promise.resolve(GOOD),
    runningLooks,
    standstill: () => 0,
    log: { warn: () => {}, info: () => {} },
    onChange: () => {},
    draining: ending.signal,
  });
  expect(await judgement.confirm(FAILED, MINE)).toMatchObject(WITHHELD);
  expect(await judgement.confirm(FAILED, MINE)).toMatchObject(WITHHELD);
});
