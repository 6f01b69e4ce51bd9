import { execa } from "execa";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCases } from "../../../tools/test/cases-ssrf.ts";

const SCRIPT = fileURLToPath(new URL("../../../tools/test/cases-ssrf.ts", import.meta.url));
const CASES = fileURLToPath(new URL("../../cases/ssrf.json", import.meta.url));

describe("tools/test/cases-ssrf.ts", () => {
  test("exits 2 with one line for an invalid cases file", async () => {
    const args = ["--import", "tsx", SCRIPT, "no-such-file.json"];
    const { exitCode, stdout, stderr } = await execa(process.execPath, args, { reject: false });
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^cases-ssrf: .*no-such-file\.json.*$/);
    expect(await runCases("package.json")).toEqual({
      code: 2,
      lines: [expect.stringMatching(/^cases-ssrf: .*package\.json: .*expected array.*$/)],
    });
  });

  test("exits 1 and prints each mismatch, including rebinding and remote addresses", async () => {
    const url = "https://a.example.com/";
    const row = { input: url, resolves_to: ["1.1.1.1"], verdict: "allow", reason: "why" };
    const rows = [
      { ...row, id: "right", then_resolves_to: ["127.0.0.1"], must_connect_to: ["1.1.1.1"] },
      { ...row, id: "verdict", verdict: "refuse" },
      { ...row, id: "rebound", then_resolves_to: ["1.0.0.1"], must_connect_to: ["1.0.0.1"] },
      { ...row, id: "remote", connected_remote_address: "1.0.0.1" },
    ];
    const folder = await mkdtemp(path.join(tmpdir(), "cases-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = path.join(folder, "cases.json");
    await writeFile(file, JSON.stringify(rows));

    const { code, lines } = await runCases(file);
    expect(code).toBe(1);
    expect(lines).toEqual([
      `verdict: allow, expected refuse: "${url}", why`,
      `rebound: refuse, expected allow: "${url}", why`,
      `remote: refuse, expected allow: "${url}", why`,
      "1 of 4",
    ]);
  });

  test("agrees with every case", async () => {
    expect(await runCases(CASES)).toEqual({ code: 0, lines: ["210 of 210"] });
  });
});
