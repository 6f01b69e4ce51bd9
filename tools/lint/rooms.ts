import { readFileSync } from "node:fs";
import { dirname } from "node:path/posix";

/** The files of one folder, or a single file, with what its row in ARCHITECTURE.md's table allows. */
export interface Room {
  /** The first cell of its row. */
  readonly row: string;
  /** `server/net/`, or `server/log.ts`. */
  readonly path: string;
  /** The last word of its path; rows of the same program refer to it by this name. */
  readonly name: string;
  /** Whether it includes the folders inside its folder. */
  readonly isDeep: boolean;
  /** Its position in the table: the lower, the greater. */
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

const HEAD = "| room | holds | may import | packages |\n";

function listWords(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
}

/** Reads a cell such as "`node`; in `io.ts`: `chalk`, `ora`". */
function readPackages(cell: string, folder: string): Pick<Room, "packages" | "ofFiles"> {
  const [all = "", ...single] = cell.split(";");
  return {
    packages: listWords(all),
    ofFiles: single.map(listWords).map(([file = "", ...packages]) => ({
      file: `${folder}${file}`,
      packages,
    })),
  };
}

/** The rooms of ARCHITECTURE.md's table, from top to bottom. */
export function readRooms(): Room[] {
  const text = readFileSync(new URL("../../ARCHITECTURE.md", import.meta.url), "utf8");
  const [, table = ""] = text.split(HEAD);
  const rows = table.slice(0, table.indexOf("\n\n")).split("\n").slice(1);
  return rows
    .map((row) => row.split("|").slice(1, 5))
    .flatMap(([row = "", , imports = "", packages = ""]) =>
      listWords(row).map((word) => ({ row, word, imports, packages })),
    )
    .map(({ row, word, imports, packages }, place) => {
      const path = word.replace("**", "");
      return {
        row: row.trim(),
        path,
        name: /([\w-]+)(?:\/|\.ts)$/.exec(path)?.[1] ?? path,
        isDeep: word !== path,
        place,
        imports: imports.includes("all below") ? "all below" : listWords(imports),
        ...readPackages(packages, path),
      };
    });
}

/** `cli`, `server` or `shared`. */
export const partOf = ({ path }: Room): string => path.slice(0, path.indexOf("/"));

export const isFolder = (room: Room): boolean => room.path.endsWith("/");

export function findRoom(file: string, rooms: readonly Room[]): Room | undefined {
  return (
    rooms.find(({ path }) => path === file) ??
    rooms.find(({ path, isDeep }) =>
      isDeep ? file.startsWith(path) : `${dirname(file)}/` === path,
    )
  );
}

/** What one room may import from another; from rooms above it, only types. */
export function findAllowance(from: Room, to: Room): "values" | "types" | undefined {
  if (from === to) return "values";
  const isBelow = to.place > from.place;
  if (from.imports === "all below") return isBelow ? "values" : undefined;
  const isNamed = from.imports.includes(to.name) && [partOf(from), "shared"].includes(partOf(to));
  if (!isNamed) return undefined;
  return isBelow ? "values" : "types";
}

export function listPackages(room: Room, file: string): string[] {
  const own = room.ofFiles.find((one) => one.file === file)?.packages ?? [];
  return [...room.packages, ...own];
}

/** The word that allows a package in a row of the table. */
export function packageOf(specifier: string): string {
  const [first = "", second = ""] = specifier.split("/");
  if (first.startsWith("@")) return `${first}/${second}`;
  return first.startsWith("node:") && !NAMED_MODULES.includes(first) ? "node" : first;
}
