import { defineConfig } from "vitest/config";
import { findBrowser } from "./test/harness/find-browser.ts";

/** The two databases differ below these folders; what stands above goes through the same statements on both. */
const BOTH = "test/{db,scan,server,watching}/**/*.test.ts";
const DOORS_AND_VERBS = "test/{access,api,checks,hooks,mcp,operator,projects,web}/**/*.test.ts";
/** One story of each door and each kind of verb, which the embedded database is told as well. */
const STORIES =
  "test/{api/check,checks/slots,hooks/events,mcp/calls,operator/commands,projects/watching,web/projects}.test.ts";
const SLOW = "test/slow/**/*.test.ts";
const SLOW_ON_DATABASES = "test/slow/{db,server}/**/*.test.ts";
const BROWSER = "test/browser/**/*.test.ts";

// The files of a worker share its process, which loads what they have in common once.
const SHARED = { isolate: false, restoreMocks: true };

const database = (name: "postgres" | "embedded", include: string[]) => ({
  test: {
    ...SHARED,
    name,
    include,
    provide: { database: name },
    // WebAssembly is not optimised, which takes longer than a test wins by it.
    execArgv: name === "embedded" ? ["--liftoff-only"] : [],
    globalSetup: ["test/harness/global-setup.ts"],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});

const inBrowser = {
  test: {
    ...SHARED,
    name: "browser",
    include: [BROWSER],
    provide: { database: "postgres" as const },
    globalSetup: ["test/harness/global-setup.ts", "test/harness/browser-setup.ts"],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
};
const browser = findBrowser() ? [inBrowser] : [];
if (browser.length === 0)
  process.stderr.write(
    "No browser: test/browser is skipped. Install Chromium, or name a browser in SHIPSCORE_BROWSER.\n",
  );

/** `--mode all` adds test/slow, and all of the doors and verbs on the embedded database. */
export default defineConfig(({ mode }) => {
  const isAll = mode === "all";
  return {
    test: {
      // Most of what the tests do is wait: for deadlines, leases and processes.
      maxWorkers: 4,
      reporters: ["default", "json"],
      outputFile: { json: "dist/test-results.json" },
      projects: [
        {
          test: {
            ...SHARED,
            name: "alone",
            provide: { isThorough: isAll },
            include: ["test/**/*.test.ts"],
            exclude: [BOTH, DOORS_AND_VERBS, SLOW_ON_DATABASES, BROWSER, ...(isAll ? [] : [SLOW])],
            testTimeout: 60_000,
            hookTimeout: 60_000,
          },
        },
        database("postgres", [BOTH, DOORS_AND_VERBS, ...(isAll ? [SLOW_ON_DATABASES] : [])]),
        database("embedded", [BOTH, ...(isAll ? [DOORS_AND_VERBS, SLOW_ON_DATABASES] : [STORIES])]),
        ...browser,
      ],
    },
  };
});
