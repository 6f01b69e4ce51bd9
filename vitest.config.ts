import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/harness/longest-first.ts";

const onDatabases = ["test/{access,operator,api,cycle,db,mcp,projects,server,web}/**/*.test.ts"];
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
          exclude: onDatabases,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      database("postgres"),
      database("embedded"),
    ],
  },
});
