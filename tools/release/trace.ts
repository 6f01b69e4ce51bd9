/* `npx tsx tools/release/trace.ts < LINES`: the lines of an exit 70, with the places in the sources in place of those in the bundle. */
import { readFile } from "node:fs/promises";
import { SourceMap, type SourceMapPayload } from "node:module";
import { text } from "node:stream/consumers";

const FILE = new URL("../../dist/shipscore.cjs.map", import.meta.url);
const PLACE = /[^\s()]*shipscore\.cjs:(\d+):(\d+)/g;

const map = new SourceMap(JSON.parse(await readFile(FILE, "utf8")) as SourceMapPayload);

function findSource(place: string, line: string, column: string): string {
  const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
  if (!("originalSource" in entry)) return place;
  const source = entry.originalSource.replace(/^(\.\.\/)+/, "");
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

process.stdout.write((await text(process.stdin)).replace(PLACE, findSource));
