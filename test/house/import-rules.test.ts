import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importRules } from "../../tools/lint/import-rules.ts";
import {
  findAllowance,
  isFolder,
  NAMED_MODULES,
  listPackages,
  packageOf,
  readRooms,
  type Room,
} from "../../tools/lint/rooms.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
let house: string;

/** An empty house under the same rules, where a violation can be planted without anybody seeing it. */
beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), "shipscore-house-"));
  for (const file of [
    ".oxlintrc.json",
    ".oxlintrc.imports.json",
    "tsconfig.base.json",
    "package.json",
  ])
    await cp(join(ROOT, file), join(house, file));
  for (const part of ["shared", "cli", "server"]) {
    await mkdir(join(house, part));
    await cp(join(ROOT, part, "tsconfig.json"), join(house, part, "tsconfig.json"));
  }
  await symlink(join(ROOT, "node_modules"), join(house, "node_modules"));
});
afterAll(() => rm(house, { recursive: true, force: true }));

async function plant(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(house, file)), { recursive: true });
  await writeFile(join(house, file), text);
}

/** Lints the whole house, and gives `file:line` and the rule of each complaint. */
async function lintHouse(): Promise<Set<string>> {
  const { stdout } = await execa(
    join(ROOT, "node_modules/.bin/oxlint"),
    ["-c", ".oxlintrc.json", "--format=unix", "shared", "cli", "server"],
    { cwd: house, reject: false },
  );
  return new Set(
    stdout
      .split("\n")
      .map((line) => line.replace(/^(?:\.\/)?([^:]+:\d+):.*\[.*\((.*)\)\].*$/, "$1 $2")),
  );
}

const ROOMS = readRooms();
/** A package that no room may import, and each package that some may, whole and in part. */
const PACKAGES = [
  ...new Set([
    ...ROOMS.flatMap(({ packages, ofFiles }) =>
      [packages, ...ofFiles.map((one) => one.packages)].flat(),
    ),
    ...NAMED_MODULES,
    "execa",
  ]),
].flatMap((name) => (name === "node" ? ["node:fs", "node:fs/promises"] : [name, `${name}/part`]));

/** Everything that a file could import, a line each, and whether its room may. */
function importEverything(
  file: string,
  room: Room,
): (readonly [line: string, isAllowed: boolean])[] {
  return [
    ...ROOMS.filter((other) => other !== room).flatMap((other) => {
      const path = isFolder(other)
        ? `${other.path}${other.isDeep ? "in/it" : "it"}.ts`
        : other.path;
      const way = relative(dirname(file), path);
      const name = way.startsWith("..") ? way : `./${way}`;
      const allowance = findAllowance(room, other);
      return [
        [`export * as it${other.place} from "${name}";`, allowance === "values"],
        [`export type { It${other.place} } from "${name}";`, allowance !== undefined],
      ] as const;
    }),
    ...["test/harness/site.ts", "demo/stage.ts", "tools/bench/stage.ts", "tools/docs/pages.ts"].map(
      (path, i) =>
        [`export * as apart${i} from "${relative(dirname(file), path)}";`, false] as const,
    ),
    ...PACKAGES.map(
      (name, i) =>
        [
          `export * as package${i} from "${name}";`,
          listPackages(room, file).includes(packageOf(name)),
        ] as const,
    ),
  ];
}

const PLANTED = ROOMS.flatMap((room) => {
  if (!isFolder(room)) return [[room.path, room] as const];
  const folders = room.isDeep ? ["", "a/", "a/b/", "a/b/c/"] : [""];
  return [
    ...folders.map((folder) => [`${room.path}${folder}everything.ts`, room] as const),
    ...room.ofFiles.map(({ file }) => [file, room] as const),
  ];
});

type Violation = readonly [file: string, text: string, rule: string];

const refused = (file: string, name: string): Violation => [
  file,
  `export * as it${name.replaceAll(/\W/g, "_")} from "${name}";`,
  "no-restricted-imports",
];

const VIOLATIONS: readonly Violation[] = [
  ...[
    ["shared/planted.ts", "undici"],
    ["shared/planted.ts", "node:fs"],
    ["shared/planted.ts", "../server/errors.ts"],
    ["cli/planted.ts", "../server/errors.ts"],
    ["cli/commands/planted.ts", "undici"],
    ["cli/commands/planted.ts", "chalk"],
    ["cli/client/api.ts", "ora"],
    ["cli/client/api.ts", "node:https"],
    ["cli/client/http.ts", "undici"],
    ["cli/terminal/io.ts", "undici"],
    ["server/planted.ts", "../cli/main.ts"],
    ["server/planted.ts", "../test/harness/site.ts"],
    ["server/planted.ts", "pg"],
    ["server/api/planted.ts", "pg"],
    ["server/api/planted.ts", "undici"],
    ["server/api/planted.ts", "../web/door.ts"],
    ["server/api/planted.ts", "../operator/projects.ts"],
    ["server/web/pages/public/planted.ts", "../../../api/check.ts"],
    ["server/operator/planted.ts", "../api/check.ts"],
    ["server/checks/planted.ts", "../api/check.ts"],
    ["server/checks/planted.ts", "undici"],
    ["server/watching/planted.ts", "../operator/projects.ts"],
    ["server/access/planted.ts", "../app.ts"],
    ["server/db/planted.ts", "../checks/check.ts"],
    ["server/db/accounts/planted.ts", "../../engine/net/guard.ts"],
    ["server/db/accounts/planted.ts", "../embedded/pglite.ts"],
    ["server/db/planted.ts", "../deps.ts"],
    ["server/engine/probe/planted.ts", "../../db/driver/sql.ts"],
    ["server/engine/probe/planted.ts", "../judge/score.ts"],
    ["server/engine/judge/rules/planted.ts", "node:fs"],
    ["server/engine/judge/rules/planted.ts", "undici"],
    ["server/engine/judge/rules/planted.ts", "../../../db/driver/sql.ts"],
    ["server/engine/judge/rules/planted.ts", "../../evidence/evidence-file.ts"],
    ["server/engine/judge/score.ts", "../evidence/evidence-file.ts"],
    ["server/engine/judge/score.ts", "node:crypto"],
    ["server/engine/judge/score.ts", "../../deps.ts"],
    ["server/watching/incident-rules.ts", "node:timers"],
    ["server/watching/incident-rules.ts", "../db/driver/sql.ts"],
  ].map(([file = "", name = ""]) => refused(file, name)),
  ["server/planted.ts", "export const secret = process.env.SECRET;", "no-process-env"],
  ["cli/planted.ts", 'console.log("x");', "no-console"],
  ["server/planted.ts", "process.exit(1);", "no-process-exit"],
  ["server/planted.ts", "export default 1;", "no-default-export"],
  ["server/engine/net/two.ts", 'export { one } from "./one.ts";', "no-cycle"],
];

test("the linter has the rules of rooms.json: `npm run lint:rules` writes them", async () => {
  const written: unknown = JSON.parse(await readFile(join(ROOT, ".oxlintrc.imports.json"), "utf8"));
  expect(written).toEqual(importRules(ROOMS));
});

// It comes before what the linter refuses is planted, which the compiler would read too.
test("the compiler refuses an import from one part of another that it may not read", async () => {
  const ways = {
    cli: "../server/planted.ts",
    server: "../cli/planted.ts",
    shared: "../server/planted.ts",
  };
  for (const [part, name] of Object.entries(ways)) {
    await plant(join(part, name), "export const planted = 1;\n");
    await plant(`${part}/importer.ts`, `export { planted } from "${name}";\n`);
  }
  const { all } = await execa(join(ROOT, "node_modules/.bin/tsc"), ["-b", ...Object.keys(ways)], {
    cwd: house,
    reject: false,
    all: true,
  });
  for (const part of Object.keys(ways))
    expect(all).toMatch(new RegExp(`^${part}/importer\\.ts.*(?:TS6307|TS6059)`, "m"));
});

describe("the linter refuses", () => {
  const texts = new Map<string, string[]>();
  for (const [file, text] of VIOLATIONS) texts.set(file, [...(texts.get(file) ?? []), text]);
  for (const [file, room] of PLANTED)
    texts.set(file, [
      ...importEverything(file, room).map(([line]) => line),
      ...(texts.get(file) ?? []),
    ]);
  let complaints: ReadonlySet<string>;

  beforeAll(async () => {
    await plant("server/engine/net/one.ts", 'import "./two.ts";\nexport const one = 1;\n');
    await plant("server/db/driver/allowed.ts", 'export * as it from "pg";\n');
    for (const [file, lines] of texts) await plant(file, `${lines.join("\n")}\n`);
    complaints = await lintHouse();
  });

  test.each(VIOLATIONS)("in %s: %s (%s)", (file, text, rule) => {
    const line = (texts.get(file)?.indexOf(text) ?? -1) + 1;
    expect(complaints.has(`${file}:${line} ${rule}`)).toBe(true);
  });

  test.each(PLANTED)("in %s what rooms.json does not name, and nothing else", (file, room) => {
    const everything = importEverything(file, room);
    const isRefused = everything.map((_, i) =>
      complaints.has(`${file}:${i + 1} no-restricted-imports`),
    );
    expect(everything.map(([line], i) => [line, !isRefused[i]])).toEqual(everything);
  });

  test("nothing that is allowed", () => {
    const own = [...complaints].filter((line) => line.startsWith("server/db/driver/allowed.ts"));
    expect(own).toEqual([]);
  });
});
