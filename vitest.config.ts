import { defineConfig } from "vitest/config";
import { findBrowser } from "./test/harness/find-browser.ts";

const ON_DATABASES =
  "test/{access,api,checks,db,hooks,mcp,operator,projects,scan,server,watching,web}/**/*.test.ts";
/** Where the embedded database differs, and one story of each folder above it, which goes through the same statements on both. */
const ON_EMBEDDED = [
  "test/db/{check-kinds,check-times,pool}.test.ts",
  "test/server/first-account.test.ts",
  "test/watching/{looking,retention}.test.ts",
  "test/{api/check,checks/slots,hooks/events,mcp/refusals,operator/failed-command}.test.ts",
  "test/{projects/watching,scan/queue,web/projects}.test.ts",
];
const SLOW = "test/slow/**/*.test.ts";
const SLOW_ON_DATABASES = "test/slow/{api,db,mcp,operator,scan,server,watching}/**/*.test.ts";
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

/** `--mode all` adds test/slow, and all of the tests on the embedded database. */
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
            exclude: [ON_DATABASES, SLOW_ON_DATABASES, BROWSER, ...(isAll ? [] : [SLOW])],
            testTimeout: 60_000,
            hookTimeout: 60_000,
          },
        },
        database("postgres", [ON_DATABASES, ...(isAll ? [SLOW_ON_DATABASES] : [])]),
        database("embedded", isAll ? [ON_DATABASES, SLOW_ON_DATABASES] : ON_EMBEDDED),
        ...browser,
      ],
    },
  };
});
