import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PROGRAMS = join(ROOT, "node_modules/.bin");
let folder: string;

/** A copy of the settings without the sources, in which forbidden imports can be planted. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shipscore-imports-"));
  for (const file of [
    ".oxlintrc.json",
    ".oxlintrc.imports.json",
    "tsconfig.base.json",
    "package.json",
  ])
    await cp(join(ROOT, file), join(folder, file));
  for (const part of ["shared", "cli", "server"]) {
    await mkdir(join(folder, part));
    await cp(join(ROOT, part, "tsconfig.json"), join(folder, part, "tsconfig.json"));
  }
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function plant(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

/** At least one import for each rule of .oxlintrc.imports.json. */
const REFUSED = [
  ["shared/planted.ts", "node:fs"],
  ["shared/planted.ts", "undici"],
  ["shared/planted.ts", "../cli/main.ts"],
  ["shared/report/planted.ts", "../../server/deps.ts"],
  ["cli/planted.ts", "../server/main.ts"],
  ["cli/commands/planted.ts", "../../server/base/errors.ts"],
  ["cli/commands/planted.ts", "undici"],
  ["cli/commands/planted.ts", "node:https"],
  ["cli/commands/planted.ts", "chalk"],
  ["cli/check/saved-results.ts", "../../server/main.ts"],
  ["cli/client/planted.ts", "../commands/check.ts"],
  ["cli/client/planted.ts", "ora"],
  ["cli/terminal/planted.ts", "../client/api.ts"],
  ["cli/terminal/planted.ts", "node:http"],
  ["server/planted.ts", "../cli/main.ts"],
  ["server/planted.ts", "pg"],
  ["server/api/planted.ts", "../../cli/main.ts"],
  ["server/api/planted.ts", "../../test/harness/site.ts"],
  ["server/api/planted.ts", "../web/door.ts"],
  ["server/web/pages/public/planted.ts", "../../../api/check.ts"],
  ["server/hooks/planted.ts", "../operator/projects.ts"],
  ["server/checks/planted.ts", "../mcp/door.ts"],
  ["server/access/planted.ts", "../app.ts"],
  ["server/projects/planted.ts", "../deps.ts"],
  ["server/api/planted.ts", "pg"],
  ["server/checks/planted.ts", "@electric-sql/pglite"],
  ["server/checks/planted.ts", "undici"],
  ["server/alerts/planted.ts", "node:https"],
  ["server/alerts/planted.ts", "node:dns/promises"],
  ["server/watching/planted.ts", "node:net"],
  ["server/alerts/planted.ts", "nodemailer"],
  ["server/http/planted.ts", "../api/door.ts"],
  ["server/http/planted.ts", "../deps.ts"],
  ["server/http/planted.ts", "undici"],
  ["server/mail/planted.ts", "../db/id.ts"],
  ["server/mail/planted.ts", "node:tls"],
  ["server/db/planted.ts", "../checks/check.ts"],
  ["server/db/planted.ts", "../deps.ts"],
  ["server/db/planted.ts", "pg"],
  ["server/db/accounts/planted.ts", "../../engine/net/guard.ts"],
  ["server/db/accounts/planted.ts", "../../projects/rights.ts"],
  ["server/db/accounts/planted.ts", "../embedded/pglite.ts"],
  ["server/db/accounts/planted.ts", "pg"],
  ["server/db/driver/planted.ts", "../accounts/tokens.ts"],
  ["server/engine/requests/planted.ts", "../../db/driver/sql.ts"],
  ["server/engine/requests/body/planted.ts", "../../../web/door.ts"],
  ["server/engine/visit/planted.ts", "../../config.ts"],
  ["server/engine/requests/planted.ts", "node:tls"],
  ["server/engine/requests/planted.ts", "undici"],
  ["server/engine/net/planted.ts", "../judge/score.ts"],
  ["server/engine/net/planted.ts", "../../db/driver/sql.ts"],
  ["server/engine/judge/planted.ts", "node:crypto"],
  ["server/engine/judge/planted.ts", "../evidence/packed-evidence.ts"],
  ["server/engine/judge/planted.ts", "../net/guard.ts"],
  ["server/engine/judge/rules/planted.ts", "node:fs"],
  ["server/engine/judge/rules/planted.ts", "undici"],
  ["server/engine/judge/rules/planted.ts", "../../net/guard.ts"],
  ["server/base/planted.ts", "../db/id.ts"],
  ["server/base/syntax/planted.ts", "../../engine/net/guard.ts"],
] as const;

const ALLOWED = [
  ["shared/planted.ts", "zod"],
  ["cli/commands/planted.ts", "../../shared/url.ts"],
  ["cli/client/planted.ts", "node:https"],
  ["server/planted.ts", "./web/door.ts"],
  ["server/web/pages/public/planted.ts", "../../kit/document.tsx"],
  ["server/http/planted.ts", "node:https"],
  ["server/mail/planted.ts", "nodemailer"],
  ["server/db/accounts/planted.ts", "../driver/sql.ts"],
  ["server/db/driver/planted.ts", "pg"],
  ["server/engine/net/planted.ts", "node:tls"],
  ["server/engine/judge/rules/planted.ts", "../../evidence/evidence.ts"],
] as const;

interface Complaint {
  readonly code: string;
  readonly help: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

async function lint(): Promise<Complaint[]> {
  const { stdout } = await execa(
    join(PROGRAMS, "oxlint"),
    ["-c", ".oxlintrc.json", "--format=json", "shared", "cli", "server"],
    { cwd: folder, reject: false },
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Complaint[] };
  return diagnostics;
}

// Before what the linter refuses is planted, since the compiler would read that too.
test("the compiler rejects an import from another part", async () => {
  const parts = {
    cli: "../server/target.ts",
    server: "../cli/target.ts",
    shared: "../server/target.ts",
  };
  for (const [part, name] of Object.entries(parts)) {
    await plant(join(part, name), "export const target = 1;\n");
    await plant(`${part}/planted.ts`, `export { target } from "${name}";\n`);
  }
  const { all } = await execa(join(PROGRAMS, "tsc"), ["-b", ...Object.keys(parts)], {
    cwd: folder,
    reject: false,
    all: true,
  });
  for (const part of Object.keys(parts))
    expect(all).toMatch(new RegExp(`^${part}/planted\\.ts.*(?:TS6307|TS6059)`, "m"));
});

test("the linter rejects one planted import for each rule, a cycle, and nothing else", async () => {
  const imports = [...REFUSED, ...ALLOWED];
  const files = new Map<string, string[]>();
  for (const [file, name] of imports) files.set(file, [...(files.get(file) ?? []), name]);
  for (const [file, names] of files)
    await plant(file, names.map((name, i) => `export * as it${i} from "${name}";\n`).join(""));
  await plant("server/engine/net/one.ts", 'import "./two.ts";\nexport const one = 1;\n');
  await plant("server/engine/net/two.ts", 'export { one } from "./one.ts";\n');

  const complaints = await lint();

  const refused = complaints
    .filter(({ code }) => code === "eslint(no-restricted-imports)")
    .map(({ filename, labels }) => {
      const line = labels[0]?.span.line ?? 0;
      return `${filename} imports ${files.get(filename)?.[line - 1] ?? "?"}`;
    });
  expect(refused.toSorted()).toEqual(
    REFUSED.map(([file, name]) => `${file} imports ${name}`).toSorted(),
  );
  expect(complaints.filter(({ code }) => code === "import(no-cycle)")).not.toEqual([]);

  const rules = await readFile(join(ROOT, ".oxlintrc.imports.json"), "utf8");
  const messages = new Set(complaints.map(({ help }) => help));
  expect(
    [...rules.matchAll(/"message": "(.*?)"/g)].filter(([, message = ""]) => !messages.has(message)),
  ).toEqual([]);
});
