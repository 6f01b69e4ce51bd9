import { readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import * as z from "zod";

/** The files of one folder, or a single file, with what its entry in rooms.json allows. */
export interface Room {
  /** `server/engine/net/`, or `server/base/log.ts`. */
  readonly path: string;
  /** Whether it includes the folders inside its folder. */
  readonly isDeep: boolean;
  /** Its position in the list: the lower, the greater. */
  readonly place: number;
  readonly imports: readonly string[] | "all below";
  /** `node` stands for all modules of Node except `NAMED_MODULES`. */
  readonly packages: readonly string[];
  /** What individual files may import in addition. */
  readonly ofFiles: readonly { readonly file: string; readonly packages: readonly string[] }[];
}

/** Modules that reach a network, or start a process or a thread. */
export const NAMED_MODULES = [
  "node:child_process",
  "node:cluster",
  "node:dgram",
  "node:dns",
  "node:http",
  "node:http2",
  "node:https",
  "node:net",
  "node:tls",
  "node:worker_threads",
];

const Rooms = z.strictObject({
  rooms: z.array(
    z.strictObject({
      path: z.string(),
      imports: z.union([z.literal("all below"), z.array(z.string())]),
      packages: z.array(z.string()),
      files: z.record(z.string(), z.array(z.string())).default({}),
    }),
  ),
});

/** `server/engine/judge/**` is the room `server/engine/judge/` with the folders inside. */
const withoutStars = (path: string) => path.replace("**", "");

/** The rooms of rooms.json, from top to bottom. */
export function readRooms(): Room[] {
  const text = readFileSync(new URL("../../rooms.json", import.meta.url), "utf8");
  return Rooms.parse(JSON.parse(text)).rooms.map((room, place) => {
    const path = withoutStars(room.path);
    return {
      path,
      isDeep: room.path !== path,
      place,
      imports: room.imports === "all below" ? room.imports : room.imports.map(withoutStars),
      packages: room.packages,
      ofFiles: Object.entries(room.files).map(([file, packages]) => ({
        file: `${path}${file}`,
        packages,
      })),
    };
  });
}

export const isFolder = (room: Room): boolean => room.path.endsWith("/");

/** The room of a file: the innermost, where one stands in the folder of another. */
export function findRoom(file: string, rooms: readonly Room[]): Room | undefined {
  return rooms
    .filter((room) => {
      if (!isFolder(room)) return room.path === file;
      return room.isDeep ? file.startsWith(room.path) : `${dirname(file)}/` === room.path;
    })
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}

/** What one room may import from another; from rooms above it, only types. */
export function findAllowance(from: Room, to: Room): "values" | "types" | undefined {
  if (from === to) return "values";
  const isBelow = to.place > from.place;
  if (from.imports === "all below") return isBelow ? "values" : undefined;
  if (!from.imports.includes(to.path)) return undefined;
  return isBelow ? "values" : "types";
}

export function listPackages(room: Room, file: string): string[] {
  const own = room.ofFiles.find((one) => one.file === file)?.packages ?? [];
  return [...room.packages, ...own];
}

/** The word that allows a package in rooms.json. */
export function packageOf(specifier: string): string {
  const [first = "", second = ""] = specifier.split("/");
  if (first.startsWith("@")) return `${first}/${second}`;
  return first.startsWith("node:") && !NAMED_MODULES.includes(first) ? "node" : first;
}
