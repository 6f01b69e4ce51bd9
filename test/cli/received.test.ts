import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  readApiError,
  readCheck,
  readHealth,
  readIncidentList,
  readLastShip,
  readProjectList,
  type Read,
} from "../../cli/client/received.ts";
import { readTargetHeaders } from "../../cli/client/settings.ts";
import { Cap, Category, Check, Finding, TargetHeaders } from "../../shared/check.ts";
import { ApiError } from "../../shared/error.ts";
import { IncidentList } from "../../shared/incident.ts";
import { LastShip } from "../../shared/last-ship.ts";
import { Project } from "../../shared/project.ts";
import { CHECK } from "../harness/contract-double.ts";

/*
 * The wire's schemas, with any word where a newer server may have more of them, and without what 0.1.0 did not send. What
 * is compared here is that the command takes a value exactly where these do.
 */
const Word = z.string();
const SCHEMAS = {
  check: Check.extend({
    verdict: Word,
    caps: z.array(Cap),
    categories: z.array(Category.extend({ id: Word })),
    findings: z.array(Finding.extend({ category: Word, status: Word }).partial({ fixLine: true })),
  }),
  projects: z.object({ projects: z.array(Project.extend({ state: Word, role: Word })) }),
  incidents: IncidentList,
  "last-ship": z.object({
    lastShip: LastShip.extend({ environment: Word, verdict: Word.nullable() }).nullable(),
  }),
  error: ApiError,
  health: z.object({ status: z.literal("ok"), version: z.string().optional() }),
};

const DATE = "2026-11-22T12:01:05.364Z";
const project = {
  id: "prj_1",
  name: "Shop",
  url: "https://shop.example/",
  state: "up",
  stateSince: DATE,
  role: "owner",
  lastCheckedAt: null,
  score: 80,
};
const ship = {
  id: "dep_1",
  url: "https://shop.example/",
  environment: "production",
  commit: "4f2a9c1",
  ref: "main",
  deployedAt: DATE,
  score: null,
  verdict: "ship",
  ruleset: null,
  checkId: "chk_1",
};
const incident = { id: "inc_1", url: project.url, since: DATE, reason: "500", lastCheckedAt: DATE };
const quota = { used: 1, limit: 500, remaining: 499 };
const [finding] = CHECK.findings;
const check = {
  ...CHECK,
  caps: [{ findingId: "hdr.csp", limit: 59, reason: "No policy." }],
  categories: CHECK.categories.slice(0, 1),
  findings: [{ ...finding, fixLine: "a: b", blockedBy: "reach.status" }, finding],
};

/** A value of each kind, and what reads it. */
const VALUES: readonly (readonly [keyof typeof SCHEMAS, unknown, Read<unknown>])[] = [
  ["check", check, readCheck],
  ["projects", { projects: [project] }, readProjectList],
  ["incidents", { incidents: [incident] }, readIncidentList],
  ["last-ship", { lastShip: ship }, readLastShip],
  ["error", { error: "Non.", quota }, readApiError],
  ["health", { status: "ok", version: "0.1.0" }, readHealth],
];

/** What may stand in the place of a member; `absent` takes the member away. */
const absent = Symbol("absent");
const ODD: readonly unknown[] = [
  absent,
  null,
  true,
  -1,
  0,
  0.5,
  100,
  101,
  Infinity,
  Number.MAX_SAFE_INTEGER + 2,
  "",
  "a new word",
  "production",
  DATE,
  "2026-11-22T12:01Z",
  "2026-11-22T12:01:05Z",
  "2026-11-22T12:01:05.123456789Z",
  "2024-02-29T00:00:00Z",
  "2026-02-29T00:00:00Z",
  "2026-02-30T00:00:00.000Z",
  "2026-13-01T00:00:00Z",
  "2026-11-00T00:00:00Z",
  "2026-11-22T24:00:00Z",
  "2026-11-22T12:60:00Z",
  "2026-11-22T12:01:60Z",
  "2026-11-22T12:01:05+01:00",
  "2026-11-22 12:01:05Z",
  "2026-11-22",
  `${DATE}\n`,
  "22 Nov 2026",
  [],
  [null],
  {},
  { length: 1 },
];

type Path = readonly string[];

function listPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, member]) => listPaths(member, [...path, key]));
  return [path, ...inner];
}

function removeAt(value: object, key: string): unknown {
  if (Array.isArray(value)) return value.toSpliced(Number(key), 1);
  Reflect.deleteProperty(value, key);
  return value;
}

/** The value with another member at the end of the path. */
function replaceAt(value: unknown, [key, ...rest]: Path, member: unknown): unknown {
  if (key === undefined) return member;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  if (member === absent && rest.length === 0) return removeAt(copy, key);
  Reflect.set(copy, key, replaceAt(Reflect.get(copy, key), rest, member));
  return copy;
}

describe.each(VALUES)(
  "%s is taken exactly where the wire's schema takes it",
  (kind, value, read) => {
    const isWire = (candidate: unknown) => SCHEMAS[kind].safeParse(candidate).success;

    test.each(listPaths(value).map((path) => [path.join(".") || "(whole)", path] as const))(
      "%s",
      (_, path) => {
        const outcomes = ODD.map((odd) => {
          const candidate = replaceAt(value, path, odd);
          return { odd, isTaken: read(candidate) !== undefined, isWire: isWire(candidate) };
        });
        expect(outcomes.filter(({ isTaken, isWire: wire }) => isTaken !== wire)).toEqual([]);
        expect(outcomes.map(({ isTaken }) => isTaken)).toContain(false);
      },
    );

    test("as it is, and with what nobody knows yet, which stays", () => {
      const grown = { ...(value as object), isNew: { a: [1] } };
      expect([read(value), read(grown)]).toEqual([value, grown]);
    });
  },
);

test("what 0.1.0 sent is read", async () => {
  const file = new URL("./server-0.1.0.json", import.meta.url);
  const { responses } = JSON.parse(await readFile(file, "utf8")) as {
    responses: Readonly<Record<string, unknown>>;
  };
  const reads = [readCheck, readProjectList, readIncidentList, readLastShip, readHealth];
  const unread = Object.entries(responses).filter(
    ([, body]) => !reads.some((read) => read(body) !== undefined),
  );
  expect(unread).toEqual([]);
});

test.each<[text: string]>([
  ['{"x-vercel-protection-bypass": ""}'],
  ['{"x-vercel-protection-bypass": " a"}'],
  ['{"x-vercel-protection-bypass": "a\\nb"}'],
  ['{"x-vercel-protection-bypass": 1}'],
  [`{"x-vercel-protection-bypass": "${"a".repeat(1025)}"}`],
  ['{"x-other": "a"}'],
  ["[]"],
  ["null"],
  ['"a"'],
  [`{"x-vercel-protection-bypass": "${"a".repeat(1024)}"}`],
  ['{"cf-access-client-id": "a b", "cf-access-client-secret": "!"}'],
  ["{}"],
])("headers of a protected preview are taken as the wire's schema takes them: %s", (text) => {
  const { success } = TargetHeaders.safeParse(JSON.parse(text));
  const read = () => readTargetHeaders({ SHIPSCORE_TARGET_HEADERS: text });
  if (success) expect(read()).toEqual(JSON.parse(text));
  else expect(read).toThrow("holds a name or a value it may not");
});
