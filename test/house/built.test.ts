import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

test("the licenses of the packages in it are included in the program", () => {
  const licenses = readFileSync(`${ROOT}dist/program/licenses.txt`, "utf8");
  for (const name of ["fastify", "undici", "zod", "pg"])
    expect(licenses).toMatch(new RegExp(`^(?:.*, )?${name}(?:,.*)?$`, "m"));
});

test("the prepared database has one database, one log file, and was cleanly closed", async () => {
  const packed = readFileSync(`${ROOT}dist/database.tar.gz`);
  const files = await unpackTar(gunzipSync(packed));
  const namesIn = (folder: RegExp) =>
    files.flatMap(({ header }) => folder.exec(header.name.replace(/\/$/, ""))?.[1] ?? []);
  expect(namesIn(/^base\/(\d+)$/)).toEqual(["5"]);
  expect(namesIn(/^pg_wal\/([0-9A-F]{24})$/)).toHaveLength(1);
  const control = files.find(({ header }) => header.name === "global/pg_control")?.data;
  const SHUT_DOWN = 1;
  const AFTER_VERSIONS = 16;
  expect(control && Buffer.from(control).readInt32LE(AFTER_VERSIONS)).toBe(SHUT_DOWN);
});
