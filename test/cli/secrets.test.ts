import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FORMATS } from "../../cli/reports/formats.ts";
import { runCli, TOKEN } from "../harness/cli.ts";
import {
  CHECK,
  json,
  startContractDouble,
  type ContractDouble,
} from "../harness/contract-double.ts";
import { useFolder } from "../harness/use.ts";

const BYPASS = "b7pass-of-the-preview";
const NAMES = Object.keys(FORMATS);

const folder = useFolder();
let server: ContractDouble;
beforeAll(async () => {
  // It repeats whatever it was sent.
  server = await startContractDouble((request, response, count) => {
    const said = `${request.headers.authorization} ${request.body}`;
    const [finding] = CHECK.findings;
    const findings = [{ ...finding, title: said, evidence: said, fix: said }];
    json({ ...CHECK, url: said, finalUrl: said, findings })(request, response, count);
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

test.each([
  ["piped"],
  ["--json"],
  ["--field", "findings.0.title"],
  ["--verbose"],
  ["--explain", "hdr.csp"],
])("neither the token nor a preview's secret is printed: %s %s", async (...words) => {
  const flags = words.filter((word) => word !== undefined && word !== "piped");
  const env = {
    ...server.env,
    SHIPSCORE_TARGET_HEADERS: JSON.stringify({ "x-vercel-protection-bypass": BYPASS }),
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
    GITHUB_OUTPUT: join(folder, "output.txt"),
  };
  const reports = NAMES.flatMap((format) => ["--report", `${format}=${join(folder, format)}`]);
  const url = `https://a.example/${TOKEN}`;
  for (const forced of [{}, { SHIPSCORE_FORCE_TTY: "80" }]) {
    const ran = await runCli(["check", url, ...flags, ...reports], { ...env, ...forced });
    expect(ran.exitCode).toBe(0);
    const files = [...NAMES, "summary.md", "output.txt"].map((name) =>
      readFile(join(folder, name), "utf8"),
    );
    const all = [ran.stdout, ran.stderr, ...(await Promise.all(files))].join("\n");
    expect(all).toContain("***");
    for (const secret of [TOKEN, TOKEN.slice(4), BYPASS]) expect(all).not.toContain(secret);
  }
});
