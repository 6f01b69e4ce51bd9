import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import {
  findAllowance,
  findRoom,
  listPackages,
  packageOf,
  readRooms,
} from "../../tools/lint/rooms.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ROOMS = readRooms();
const FILES = ["cli", "server", "shared"].flatMap((part) =>
  readdirSync(join(ROOT, part), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(part, file)),
);

interface Import {
  readonly file: string;
  readonly specifier: string;
  readonly isType: boolean;
}

function readImports(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  return [
    ...staticImports.map(({ moduleRequest, entries }) => ({
      file,
      specifier: moduleRequest.value,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ file, specifier: moduleRequest.value, isType }] : [],
      ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      file,
      specifier: text.slice(start + 1, end - 1),
      isType: false,
    })),
  ];
}

const IMPORTS = FILES.flatMap(readImports);

const targetOf = ({ file, specifier }: Import) =>
  specifier.startsWith(".") ? join(dirname(file), specifier) : undefined;

test("every file stands in a room of rooms.json, and every room holds some", () => {
  expect(FILES.filter((file) => !findRoom(file, ROOMS))).toEqual([]);
  const lived = new Set(FILES.map((file) => findRoom(file, ROOMS)));
  expect(ROOMS.filter((room) => !lived.has(room)).map(({ path }) => path)).toEqual([]);
});

test("no room is listed twice, and each names rooms that are listed", () => {
  const paths = ROOMS.map(({ path }) => path);
  expect(paths).toEqual([...new Set(paths)]);
  const named = ROOMS.flatMap(({ imports }) => (imports === "all below" ? [] : imports));
  expect(named.filter((path) => !paths.includes(path))).toEqual([]);
});

test("rooms import downwards, but for the type of deps", () => {
  const upwards = ROOMS.flatMap((room) =>
    ROOMS.filter((other) => findAllowance(room, other) === "types").map(({ path }) => path),
  );
  expect([...new Set(upwards)]).toEqual(["server/deps.ts"]);
});

test("no file imports what its room may not", () => {
  const refused = IMPORTS.filter((one) => {
    const from = findRoom(one.file, ROOMS);
    const target = targetOf(one);
    if (target === undefined)
      return !from || !listPackages(from, one.file).includes(packageOf(one.specifier));
    const to = findRoom(target, ROOMS);
    const allowance = from && to && findAllowance(from, to);
    return allowance !== "values" && !(allowance === "types" && one.isType);
  });
  expect(refused).toEqual([]);
});

test("no room names what it does not import", () => {
  const used = new Set(
    IMPORTS.flatMap((one) => {
      const target = targetOf(one);
      const name = target === undefined ? packageOf(one.specifier) : findRoom(target, ROOMS)?.path;
      return [`${findRoom(one.file, ROOMS)?.path}: ${name}`, `${one.file}: ${name}`];
    }),
  );
  const named = ROOMS.flatMap(({ path, imports, packages, ofFiles }) => [
    ...(imports === "all below" ? [] : imports).map((name) => `${path}: ${name}`),
    ...packages.map((name) => `${path}: ${name}`),
    ...ofFiles.flatMap((one) => one.packages.map((name) => `${one.file}: ${name}`)),
  ]);
  expect(named.filter((name) => !used.has(name))).toEqual([]);
});
