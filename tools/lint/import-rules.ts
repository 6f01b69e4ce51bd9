import { dirname, relative } from "node:path/posix";
import { findAllowance, isFolder, listPackages, NAMED_MODULES, type Room } from "./rooms.ts";

/** How many levels of folders a deep room may have. */
const MAX_DEPTH = 3;

interface Override {
  files: string[];
  rules: { "no-restricted-imports": [string, { paths: object[]; patterns: object[] }] };
}

function pathFrom(folder: string, path: string): string {
  const way = relative(folder, path);
  if (way === "") return ".";
  return way.startsWith("..") ? way : `./${way}`;
}

/** The rooms that stand in the folder of another, as seen from `folder`, where `from` may not import them. */
function refuseInside(
  { path, isDeep }: Room,
  from: Room,
  rooms: readonly Room[],
  folder: string,
): string[] {
  return rooms
    .filter((room) => room.path !== path && !findAllowance(from, room))
    .filter((room) =>
      isFolder(room) ? isDeep && room.path.startsWith(path) : `${dirname(room.path)}/` === path,
    )
    .map((room) => `${pathFrom(folder, room.path)}${isFolder(room) ? "/**" : ""}`);
}

/** The files of another room, as seen from `folder`. */
function seeRoom(other: Room, from: Room, rooms: readonly Room[], folder: string): string[] {
  if (!isFolder(other)) return [`!${pathFrom(folder, other.path)}`];
  return [
    `!${pathFrom(folder, other.path)}/${other.isDeep ? "**" : "*"}`,
    ...refuseInside(other, from, rooms, folder),
  ];
}

function seeItself(room: Room, rooms: readonly Room[], folder: string, depth: number): string[] {
  if (!isFolder(room)) return [];
  if (!room.isDeep) return seeRoom(room, room, rooms, room.path);
  return [
    "!./**",
    ...(depth === 0 ? [] : ["!../**", `${"../".repeat(depth + 1)}**`]),
    ...refuseInside(room, room, rooms, folder),
  ];
}

function allowPackages(packages: readonly string[]): string[] {
  const named = packages
    .filter((name) => name !== "node")
    .flatMap((name) => [`!${name}`, `!${name}/**`]);
  if (!packages.includes("node")) return named;
  const refused = NAMED_MODULES.flatMap((name) => [name, `${name}/**`]);
  return ["!node:*", "!node:*/**", ...refused, ...named];
}

/** The lint rule for the files of a room, or for one of them. */
function overrideOf(
  room: Room,
  rooms: readonly Room[],
  { files, depth = 0 }: { files: string[]; depth?: number },
): Override {
  const folder = isFolder(room) ? `${room.path}${"x/".repeat(depth)}` : dirname(room.path);
  const others = rooms.filter((other) => other !== room && findAllowance(room, other));
  // As in gitignore, the last pattern that matches decides.
  const group = [
    "*",
    ...seeItself(room, rooms, folder, depth),
    ...others.flatMap((other) => seeRoom(other, room, rooms, folder)),
    ...allowPackages(listPackages(room, files[0] ?? "")),
  ];
  const message = `rooms.json says what ${room.path} may import; npm run lint:rules after a change there.`;
  const paths = others
    .filter((other) => findAllowance(room, other) === "types")
    .map(({ path }) => ({ name: pathFrom(folder, path), allowTypeImports: true, message }));
  return {
    files,
    rules: { "no-restricted-imports": ["error", { paths, patterns: [{ group, message }] }] },
  };
}

function overridesOf(room: Room, rooms: readonly Room[]): Override[] {
  if (!isFolder(room)) return [overrideOf(room, rooms, { files: [room.path] })];
  const depths = Array.from({ length: room.isDeep ? MAX_DEPTH + 1 : 1 }, (_, depth) => depth);
  return [
    ...depths.map((depth) => {
      const stem = `${room.path}${"*/".repeat(depth)}*`;
      return overrideOf(room, rooms, { files: [`${stem}.ts`, `${stem}.tsx`], depth });
    }),
    ...room.ofFiles.map(({ file }) => overrideOf(room, rooms, { files: [file] })),
  ];
}

/**
 * What the linter refuses in each room. The entry of a room inside another comes after it, a file's after its folder's.
 * Outside all rooms it refuses everything.
 */
export function importRules(rooms: readonly Room[]): { overrides: Override[] } {
  const message = "This file stands in no room of rooms.json.";
  const nowhere: Override = {
    files: ["cli/**", "server/**", "shared/**"],
    rules: {
      "no-restricted-imports": ["error", { paths: [], patterns: [{ group: ["*"], message }] }],
    },
  };
  const widestFirst = [
    ...rooms.filter(({ isDeep }) => isDeep),
    ...rooms.filter((room) => isFolder(room) && !room.isDeep),
    ...rooms.filter((room) => !isFolder(room)),
  ];
  return { overrides: [nowhere, ...widestFirst.flatMap((room) => overridesOf(room, rooms))] };
}
