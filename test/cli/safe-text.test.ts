import { expect, test } from "vitest";
import { cleanText, cleanValue, formatJson } from "../../cli/terminal/json.ts";
import { truncate, wrap } from "../../cli/terminal/layout.ts";
import { COLUMNS, formatRows, rowOf } from "../../cli/views/rows.ts";
import { CHECK } from "../harness/contract-double.ts";

test("text of the API contains no tab, line break or escape sequence", () => {
  const hostile = "a\tb\r\nc\u001b[31m\u0085\u009b2J\u2028\u202ed\u0000";
  expect(cleanValue({ a: [hostile], b: 1, c: null })).toEqual({
    a: ["a b c [31m 2J d "],
    b: 1,
    c: null,
  });
  const check = cleanValue({ ...CHECK, verdict: hostile, url: hostile });
  expect(formatRows([rowOf(COLUMNS.check, check)]).match(/[\t\n]/g)).toHaveLength(5);
});

test("a row has the first of several lines to paste, which are alternatives", () => {
  const fixLine = "Cache-Control: no-cache\nadd_header Cache-Control no-cache;";
  const finding = { ...CHECK.findings[0]!, fixLine };
  const explained = formatRows([rowOf(COLUMNS["check --explain"], finding)]);
  expect(explained).toMatch(/\tCache-Control: no-cache\n$/);
});

test("JSON is safe to print, and the same value to a parser", () => {
  const value = { text: "\u007f\u009b ##[error] ###[ é \u001b\n \u202e\u2066\u200f\u2028" };
  const json = formatJson(value);
  expect(json).toContain(
    String.raw`\u007f\u009b \u0023\u0023[error] #\u0023\u0023[ é \u001b\n \u202e\u2066\u200f\u2028`,
  );
  expect(JSON.parse(json)).toEqual(value);
});

/* Measured whole, these would take hours. */
test("a text of many characters without width is wrapped and cut", () => {
  const text = "\u200b".repeat(1_000_000);
  expect(truncate(`abcd${text}`, 3)).toBe("ab…");
  expect(truncate(text, 3).length).toBeLessThan(2000);
  expect(wrap(`${text} ${"a ".repeat(20_000)}b`, 80)).toHaveLength(502);
});

test.each([
  ["::error::a", "\u2060::error::a"],
  ["a ::add-mask::b", "a \u2060::add-mask::b"],
  ["a\n::warning::b", "a \u2060::warning::b"],
  ["##[error]a ###[b", "#\u2060#[error]a ##\u2060#[b"],
  ["##vso[task.complete]", "#\u2060#vso[task.complete]"],
  ["\ud800a\uffff", " a "],
  ["https://[::1]:8443/ a::b ## c", "https://[::1]:8443/ a::b ## c"],
])("%j is no command to a CI system", (text, clean) => expect(cleanText(text)).toBe(clean));
