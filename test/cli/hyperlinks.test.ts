import { expect, test } from "vitest";
import { hasHyperlinks, type OutputStream } from "../../cli/terminal/io.ts";

const stream = (isTTY: boolean) => ({ isTTY }) as OutputStream;

test.each<[why: string, env: Record<string, string>]>([
  ["a terminal that says nothing of itself", { TERM: "xterm-256color" }],
  ["a dumb terminal", { TERM: "dumb", VTE_VERSION: "7601" }],
  ["NO_COLOR", { NO_COLOR: "1", VTE_VERSION: "7601" }],
  ["a CI job", { CI: "true", TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.5.0" }],
  ["TeamCity", { TEAMCITY_VERSION: "2025", VTE_VERSION: "7601" }],
  ["an old iTerm", { TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.0.14" }],
  ["an old VS Code", { TERM_PROGRAM: "vscode", TERM_PROGRAM_VERSION: "1.71.2" }],
  ["an old WezTerm", { TERM_PROGRAM: "WezTerm", TERM_PROGRAM_VERSION: "20200503-171512" }],
  ["an old VTE", { VTE_VERSION: "5000" }],
  ["a version that is none", { VTE_VERSION: "new" }],
  ["FORCE_HYPERLINK=0", { FORCE_HYPERLINK: "0", VTE_VERSION: "7601" }],
])("no link: %s", (_, env) => expect(hasHyperlinks(stream(true), env)).toBe(false));

test.each<[why: string, env: Record<string, string>]>([
  ["VTE", { VTE_VERSION: "7601" }],
  ["iTerm", { TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.1.0" }],
  ["VS Code", { TERM_PROGRAM: "vscode", TERM_PROGRAM_VERSION: "1.85.0" }],
  ["WezTerm", { TERM_PROGRAM: "WezTerm", TERM_PROGRAM_VERSION: "20240203-110809" }],
  ["Ghostty", { TERM_PROGRAM: "ghostty" }],
  ["kitty", { TERM: "xterm-kitty" }],
  ["Windows Terminal", { WT_SESSION: "1" }],
])("links: %s, but not into a pipe", (_, env) => {
  expect(hasHyperlinks(stream(true), env)).toBe(true);
  expect(hasHyperlinks(stream(false), env)).toBe(false);
});

test("FORCE_HYPERLINK takes precedence, as FORCE_COLOR does for color", () => {
  expect(hasHyperlinks(stream(false), { FORCE_HYPERLINK: "1", CI: "true" })).toBe(true);
});
