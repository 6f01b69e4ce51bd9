/* `npx tsx tools/release/trace.ts < LINES`: the lines of an exit 70, with the places in the sources in place of those in the bundle. */
import { readFile } from "node:fs/promises";
import { SourceMap, type SourceMapPayload } from "node:module";
import { text } from "node:stream/consumers";

const DIST = new URL("../../dist/", import.meta.url);
const PLACE = /[^\s()]*\/(shipscore(?:\/[\w-]+)?\.cjs):(\d+):(\d+)/g;

async function readMap(file: string): Promise<SourceMap> {
  const map = await readFile(new URL(`${file}.map`, DIST), "utf8");
  return new SourceMap(JSON.parse(map) as SourceMapPayload);
}

const lines = await text(process.stdin);
const files = new Set([...lines.matchAll(PLACE)].map(([, file = ""]) => file));
const maps = new Map(
  await Promise.all([...files].map(async (file) => [file, await readMap(file)] as const)),
);

function findSource(place: string, file: string, line: string, column: string): string {
  const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (!entry || !("originalSource" in entry)) return place;
  const source = entry.originalSource.replace(/^(\.\.\/)+/, "");
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

process.stdout.write(lines.replace(PLACE, findSource));
