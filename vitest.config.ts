import { defineConfig } from "vitest/config";
import { findBrowser } from "./test/harness/find-browser.ts";
import { LongestFirst } from "./test/harness/longest-first.ts";

const onDatabases = [
  "test/{access,operator,api,cycle,db,hooks,mcp,projects,scan,server,web}/**/*.test.ts",
];
const database = (name: "postgres" | "embedded") => ({
  test: {
    name,
    include: onDatabases,
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
    name: "browser",
    include: ["test/browser/**/*.test.ts"],
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

export default defineConfig({
  test: {
    // Most of what the tests do is wait: for deadlines, leases and processes.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "json"],
    outputFile: { json: "dist/test-results.json" },
    projects: [
      {
        test: {
          name: "alone",
          include: ["test/**/*.test.ts"],
          exclude: [...onDatabases, "test/browser/**"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      database("postgres"),
      database("embedded"),
      ...browser,
    ],
  },
});
