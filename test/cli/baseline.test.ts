import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../harness/cli.ts";
import { answerWithStatus } from "./reports/runs.ts";
import { CHECK, json, startContractDouble } from "../harness/contract-double.ts";
import { useFolder } from "../harness/use.ts";

const folder = useFolder();

async function write(name: string, value: unknown): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, JSON.stringify(value));
  return file;
}

const OTHER = "https://b.example/";

/** CHECK as it was: two findings passed, one that passes now failed, and nothing capped the score. */
const EARLIER = {
  ...CHECK,
  score: 88,
  verdict: "ship",
  caps: [],
  findings: CHECK.findings.map((finding) => {
    const isJudged = finding.id === "hdr.csp" || finding.id === "perf.http2";
    if (isJudged) return { ...finding, status: "pass", earned: finding.points };
    return finding.id === "tls.chain" ? { ...finding, status: "fail", earned: 0 } : finding;
  }),
};

const NEW = "new asset.broken\nnew hdr.csp\n";

/** Two saved answers held against each other. */
async function compare(baseline: unknown, now: unknown, ...flags: string[]) {
  const files = [await write("now.json", now), await write("before.json", baseline)] as const;
  const words = ["check", "--from", files[0], "--baseline", files[1], ...flags];
  const { exitCode, stdout, stderr } = await runCli(words);
  return { exitCode, stdout, stderr };
}

test.each([
  [["--fail-on-new"], "nonesuch.json", "cannot be read (ENOENT)"],
  [["--max-drop", "3"], "nonesuch.json", "cannot be read (ENOENT)"],
  [["--missing-baseline", "pass", "--fail-on-new"], ".", "cannot be read (EISDIR)"],
  [[], "nonesuch.json", "cannot be read (ENOENT)"],
])("%j and no file are rejected before a request", async (flags, name, sentence) => {
  await using server = await startContractDouble();
  const ran = await runCli(
    ["check", CHECK.url, "--baseline", join(folder, name), ...flags],
    server.env,
  );
  expect([ran.exitCode, ran.stdout, server.requests]).toEqual([2, "", []]);
  expect(ran.stderr).toContain(sentence);
});

test("new findings fail the gate, one line each; a baseline without a condition only lists them", async () => {
  const changes = `${NEW}fixed tls.chain\nnot checked perf.http2\n0 unchanged\n`;
  const row = `59\tdo_not_ship\t${CHECK.url}\t${CHECK.finalUrl}\tchk_1\n`;
  expect(await compare(EARLIER, CHECK)).toEqual({ exitCode: 0, stdout: row, stderr: changes });
  const gated = await compare(EARLIER, CHECK, "--fail-on-new", "--max-drop", "20");
  expect([gated.exitCode, gated.stdout]).toEqual([1, row]);
  expect(gated.stderr).toContain(
    `${changes}shipscore: not met: score 59, was 88; maximum drop 20.
shipscore: not met: 2 new since the baseline, none allowed: asset.broken, hdr.csp; 1 not checked.
`,
  );
});

test("a page as bad as before passes, also with --json", async () => {
  const { exitCode, stdout, stderr } = await compare(CHECK, CHECK, "--fail-on-new", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ gate: { met: true } });
  expect([exitCode, stderr]).toEqual([
    0,
    "4 unchanged\nshipscore: met: nothing new since the baseline.\nshipscore: Gate: 1 of 1 condition met.\n",
  ]);
});

test("a baseline of another ruleset is compared by the rules of both, and its score is not used", async () => {
  const former = {
    ...EARLIER,
    ruleset: "2026.0",
    findings: EARLIER.findings.filter(({ id }) => id !== "hdr.csp"),
  };
  const { exitCode, stderr } = await compare(former, CHECK, "--fail-on-new", "--max-drop", "99");
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "the baseline was assessed with ruleset 2026.0, not 2026.1: only the rules that both have are compared\nnew asset.broken\nfixed",
  );
  expect(stderr).toContain(
    "not met: no baseline to compare with, since the baseline was assessed with ruleset 2026.0, not 2026.1.",
  );
});

test("several pages are found by their URLs; a missing one counts as without a baseline", async () => {
  const pages = { checks: [CHECK, { ...CHECK, url: OTHER }] };
  const baseline = { checks: [{ ...EARLIER, url: "https://example.com" }] };
  const { exitCode, stderr } = await compare(baseline, pages, "--fail-on-new");
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`${CHECK.url}: new asset.broken\n`);
  expect(stderr).toContain(`${OTHER}: the baseline does not include this page\n`);
  expect(stderr).toContain(
    `${OTHER}: not met: no baseline to compare with, since the baseline does not include this page.`,
  );
  const same = { checks: [CHECK] };
  const passed = await compare(same, pages, "--fail-on-new", "--missing-baseline", "pass");
  expect(passed.exitCode).toBe(0);
});

test("pages that differ only in their query, which answers leave out, are matched by their order", async () => {
  const masked = { url: "https://example.com/?page=***" };
  const pages = { checks: [EARLIER, CHECK].map((check) => ({ ...check, ...masked })) };
  const baseline = await write("before.json", pages);
  await using server = await startContractDouble(json({ ...CHECK, ...masked }));
  const urls = [1, 2, 3].map((page) => `https://example.com/?page=${page}`);
  const checked = await runCli(["check", ...urls, "--baseline", baseline], server.env);
  expect(checked.stderr).toContain("?page=1: new asset.broken\n");
  expect(checked.stderr).toContain("?page=2: 4 unchanged\n");
  expect(checked.stderr).toContain("?page=3: the baseline does not include this page\n");
  const alone = await runCli(["check", ...urls.slice(1, 2), "--baseline", baseline], server.env);
  expect(alone.stderr).toContain("shipscore: the baseline does not include this page\n");
  const saved = await compare(pages, pages, "--fail-on-new");
  expect([saved.exitCode, saved.stderr.match(/\d unchanged/g)]).toEqual([
    0,
    ["4 unchanged", "4 unchanged"],
  ]);
});

test("pages whose paths contain credentials, which a server masks, are matched by their order", async () => {
  const masked = { url: "https://example.com/hook/***" };
  const pages = { checks: [EARLIER, CHECK].map((check) => ({ ...check, ...masked })) };
  const baseline = await write("before.json", pages);
  await using server = await startContractDouble(json({ ...CHECK, ...masked }));
  const [one, two, plain] = ["sk_live_1", "sk_live_2", "plain"].map(
    (name) => `https://example.com/hook/${name}`,
  );
  const run = async (...urls: (string | undefined)[]) => {
    const words = urls.filter((url) => url !== undefined);
    return (await runCli(["check", ...words, "--baseline", baseline], server.env)).stderr;
  };
  const both = await run(one, two);
  expect(both).toContain("sk_live_1: new asset.broken\n");
  expect(both).toContain("sk_live_2: 4 unchanged\n");
  expect(await run(two)).toContain("the baseline does not include this page\n");
  await using open = await startContractDouble(json(CHECK));
  const others = [
    "check",
    `${plain}`,
    OTHER,
    "--baseline",
    await write("all.json", { checks: [CHECK] }),
  ];
  expect((await runCli(others, open.env)).stderr.match(/does not include this page/g)).toHaveLength(
    2,
  );
});

test("a page is found under the URL as typed if the baseline lacks its stable URL", async () => {
  const preview = { ...CHECK, url: "https://preview-1.example/" };
  const as = ["--as", "https://stable.example/"];
  const listed = await compare({ checks: [{ ...CHECK, url: OTHER }, preview] }, preview, ...as);
  expect(listed.stderr).toBe("4 unchanged\n");
  const single = await compare(preview, preview, ...as);
  expect(single.stderr).toBe("4 unchanged\n");
});

test("a preview is found under its stable URL, and a comment lists the changes", async () => {
  const preview = { ...CHECK, url: "https://preview-1.example/?key=secret" };
  const pages = { checks: [{ ...CHECK, url: OTHER }, EARLIER] };
  const report = ["--report", "markdown=-"];
  const unnamed = await compare(pages, preview, ...report);
  expect(unnamed.stdout).toContain("- the baseline does not include this page\n");
  const named = await compare(pages, preview, ...report, "--as", CHECK.url);
  expect(named.stdout).toContain(
    "### Since the baseline\n\n- new asset.broken\n- new hdr.csp\n- fixed tls.chain\n",
  );
  const other = await compare({ ...EARLIER, url: preview.url }, CHECK);
  expect(other.stderr).toContain("the baseline is for https://preview-1.example/?key=***\n");
});

test("a page that was not assessed is reported once, without a list of rules", async () => {
  const { exitCode, stderr } = await compare(
    answerWithStatus(200),
    answerWithStatus(500),
    "--fail-on-new",
  );
  expect(exitCode).toBe(1);
  expect(stderr.match(/\d+ not checked\n/g)).toHaveLength(1);
  expect(stderr).not.toMatch(/^not checked /m);
});

test("a single page uses the only page of a baseline, with a note if its URL differs", async () => {
  const { exitCode, stderr } = await compare({ ...CHECK, url: OTHER }, CHECK, "--fail-on-new");
  expect([exitCode, stderr]).toEqual([
    0,
    `shipscore: the baseline is for ${OTHER}\n4 unchanged\nshipscore: met: nothing new since the baseline.\nshipscore: Gate: 1 of 1 condition met.\n`,
  ]);
});

test.each([
  [
    "en_US",
    "new hdr.csp\nfixed tls.chain\nnot checked perf.http2\n0 unchanged\n\n✗ not met: 2 new",
    "Result saved on 20 November 2026 at 08:30 UTC.",
  ],
  [
    "fr_FR",
    "nouveau hdr.csp\ncorrigé tls.chain\nnon vérifié perf.http2\n0 inchangé\n\n✗ non remplie\u00a0: 2 nouveaux",
    "Résultat enregistré le 20 novembre 2026 à 08:30 UTC.",
  ],
])(
  "the report for people shows it above the gate, with the date of the saved answer %s",
  async (LANG, changes, saved) => {
    const files = [await write("now.json", CHECK), await write("before.json", EARLIER)] as const;
    const words = ["check", "--from", files[0], "--baseline", files[1], "--fail-on-new"];
    const env = { LANG, SHIPSCORE_FORCE_TTY: "200" };
    const { exitCode, stdout, stderr } = await runCli(words, env);
    expect([exitCode, stderr]).toEqual([1, ""]);
    for (const part of [changes, saved]) expect(stdout).toContain(part);
    expect(stdout).not.toContain("300");
    const list = await write("now.json", { checks: [CHECK] });
    const table = await runCli([...words, "--from", list].toSpliced(1, 2), env);
    expect(table.stdout).toMatch(/: (?:new|nouveaux) asset\.broken, hdr\.csp\n/);
    expect(table.stdout).not.toContain("300");
  },
);
