import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { findBrowser } from "./test/harness/find-browser.ts";
import { findPooler } from "./test/harness/pooler.ts";

const ON_DATABASES =
  "test/{access,api,checks,db,hooks,mcp,operator,projects,scan,server,statuses,watching,web}/**/*.test.ts";
/** Where the embedded database differs, and one story of servers, the cycle, scans and each door, which makes the same statements on both. */
const ON_EMBEDDED = [
  "test/db/{check-kinds,check-times,pool}.test.ts",
  "test/{server/{account-reads,first-account},watching/looking,scan/scans}.test.ts",
  "test/{api/check,hooks/docs,mcp/clients,operator/failed-command,web/status-reporting}.test.ts",
];
/** Behind a pooler too goes all that servers do. These are about connections, their options and TLS, and go past it. */
const DIRECT = "test/{db/{pool,tls},checks/month}.test.ts";
const SLOW = "test/slow/**/*.test.ts";
const SLOW_ON_DATABASES = "test/slow/{api,db,mcp,operator,scan,server,watching}/**/*.test.ts";
/** These measure times or reach deadlines, and have the machine to themselves after the others. */
const TIMED =
  "test/slow/{engine/{requests/blocking,visit/{harm,look}},hostile/{looks,fullest,work}}.test.ts";
const TIMED_ON_DATABASES =
  "test/slow/{api/given-up,server/{account-reads,failover,flood,hostile-clients,silent-connections,stalls,status-flood},watching/{crowd,neighbours}}.test.ts";
const BROWSER = "test/browser/**/*.test.ts";

/** The patterns without braces that a pattern with braces means. */
function expandBraces(pattern: string): string[] {
  const [group, names = ""] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (group === undefined) return [pattern];
  return names.split(",").flatMap((name) => expandBraces(pattern.replace(group, name)));
}
// A list of tests would otherwise lose a file that is renamed.
for (const path of [
  ON_DATABASES,
  ...ON_EMBEDDED,
  DIRECT,
  SLOW_ON_DATABASES,
  TIMED,
  TIMED_ON_DATABASES,
].flatMap(expandBraces))
  if (!existsSync(new URL(path.replace(/\/\*\*.*/, ""), import.meta.url)))
    throw new Error(`vitest.config.ts names ${path}, which does not exist.`);

// The files of a worker share its process, which loads what they have in common once.
const SHARED = { isolate: false, restoreMocks: true };

const database = (
  isAll: boolean,
  name: "postgres" | "embedded" | "pooled",
  include: string[],
  exclude: string[] = [],
) => ({
  test: {
    ...SHARED,
    name,
    include,
    exclude,
    provide: { isThorough: isAll, database: name === "embedded" ? name : ("postgres" as const) },
    // WebAssembly is not optimised, which takes longer than a test wins by it.
    execArgv: name === "embedded" ? ["--liftoff-only"] : [],
    globalSetup: name === "embedded" ? [] : ["test/harness/global-setup.ts"],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});

const timed = (name: "postgres" | "embedded", include: string[]) => ({
  test: {
    ...database(true, name, include).test,
    name: `${name}, timed`,
    maxWorkers: 1,
    sequence: { groupOrder: 1 },
  },
});

const inBrowser = (isAll: boolean) => ({
  test: {
    ...SHARED,
    name: "browser",
    include: [BROWSER],
    provide: { database: "postgres" as const, isThorough: isAll },
    globalSetup: ["test/harness/global-setup.ts", "test/harness/browser-setup.ts"],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
/** Says what is skipped on a machine that lacks a program. */
function skip(what: string): [] {
  process.stderr.write(`${what}\n`);
  return [];
}
const findBrowserProject = (isAll: boolean) =>
  findBrowser()
    ? [inBrowser(isAll)]
    : skip(
        "No browser: test/browser is skipped. Install Chromium, or name a browser in SHIPSCORE_BROWSER.",
      );
const findPooled = () =>
  findPooler()
    ? [database(true, "pooled", [ON_DATABASES], [DIRECT])]
    : skip("No PgBouncer: nothing is tested behind a pooler. Run tools/test/unpack-programs.sh.");

const ALL_ON_DATABASES = [ON_DATABASES, SLOW_ON_DATABASES];
const TIMED_PROJECTS = [
  timed("postgres", [TIMED, TIMED_ON_DATABASES]),
  timed("embedded", [TIMED_ON_DATABASES]),
];

/** `--mode all` adds test/slow, and all of the tests on the embedded database and behind a pooler. */
export default defineConfig(({ mode }) => {
  const isAll = mode === "all";
  return {
    test: {
      // Most of what the tests do is wait: for deadlines, leases and processes.
      maxWorkers: 6,
      // The projects and the runs of CI read the same modules.
      experimental: { fsModuleCache: true },
      reporters: ["default", "json"],
      outputFile: { json: "dist/test-results.json" },
      projects: [
        {
          test: {
            ...SHARED,
            name: "alone",
            provide: { isThorough: isAll },
            include: ["test/**/*.test.ts"],
            exclude: [ON_DATABASES, SLOW_ON_DATABASES, TIMED, BROWSER, ...(isAll ? [] : [SLOW])],
            testTimeout: 120_000,
            hookTimeout: 120_000,
          },
        },
        database(isAll, "postgres", isAll ? ALL_ON_DATABASES : [ON_DATABASES], [
          TIMED_ON_DATABASES,
        ]),
        database(isAll, "embedded", isAll ? ALL_ON_DATABASES : ON_EMBEDDED, [TIMED_ON_DATABASES]),
        ...(isAll ? [...findPooled(), ...TIMED_PROJECTS] : []),
        ...findBrowserProject(isAll),
      ],
    },
  };
});
