import { expect, test } from "vitest";
import { readRetryAfter } from "../../../server/base/syntax/http.ts";

const NOW = new Date("2026-11-22T10:00:00.500Z");

test.each<[value: string, seconds: number | undefined]>([
  ["120", 120],
  ["0", undefined],
  ["-5", undefined],
  ["", undefined],
  ["soon", undefined],
  ["1.5 s", undefined],
  ["Sun, 22 Nov 2026 10:02:00 GMT", 120],
  ["Sun, 22 Nov 2026 09:59:00 GMT", undefined],
])("Retry-After: %j", (value, seconds) => {
  expect(readRetryAfter(value, NOW)).toBe(seconds);
});
