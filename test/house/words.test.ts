import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SERVER = fileURLToPath(new URL("../../server/", import.meta.url));
/** In what is no comment: letters and marks that French has and code does not. */
const FRENCH = /^(?!\s*(?:\/?\*|\/\/)).*[àâçèéêëîïôûùœ«»]/imu;
/** Where French is written: pages, what assistants are told, findings, what several doors say, letters beside their senders. */
const PLACES =
  /^(?:web|mcp|engine\/judge)\/|letters?\.tsx?$|^alerts\/(?:message-text|sender|kinds\/[a-z]+)\.ts$|^(?:access\/links|base\/input-faults|projects\/invitations|watching\/failed-tries)\.ts$/;

test("only files with user texts contain French", () => {
  const files = readdirSync(SERVER, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => FRENCH.test(readFileSync(SERVER + file, "utf8")));
  expect(files).toContain("mcp/results.ts");
  expect(files.filter((file) => !PLACES.test(file))).toEqual([]);
});
