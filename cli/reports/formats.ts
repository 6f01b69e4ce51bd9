import { describeRun } from "../check/results.ts";
import { formatJson } from "../terminal/json.ts";
import type { FormatReport } from "./report.ts";

export interface Format {
  /** What it is for, in `shipscore help output`. */
  readonly summary: string;
  /** True where it gets texts as the API sent them, and escapes what is not safe to print. The others get clean text. */
  readonly isVerbatim?: boolean;
  load(): Promise<FormatReport>;
}

export const FORMATS = {
  json: {
    summary: "what --json prints",
    isVerbatim: true,
    load:
      async () =>
      (checked, { isList }) =>
        formatJson(describeRun(checked, isList)),
  },
  markdown: {
    summary: "for a comment, or the summary page of a job; several pages begin with a table",
    load: async () => (await import("./markdown.ts")).formatMarkdownReport,
  },
  junit: {
    summary:
      "XML for Jenkins, GitLab and others: a test case for each condition of the gate and each finding, named alike in every run. Under a gate its conditions alone fail; without one, findings that failed do; one that was not checked is skipped",
    load: async () => (await import("./junit.ts")).formatJunitReport,
  },
  sarif: {
    summary:
      "2.1.0, for GitHub's code scanning: what caps the score is an error, what costs 3 points or more a warning, the rest a note",
    load: async () => (await import("./sarif.ts")).formatSarifReport,
  },
  gitlab: {
    summary:
      "GitLab's Code Quality: the same as blocker, major and minor, and each condition that is not met as blocker",
    load: async () => (await import("./gitlab.ts")).formatGitlabReport,
  },
  html: {
    summary: "one file for people, which loads nothing else and prints well",
    load: async () => (await import("./html.tsx")).formatHtmlReport,
  },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;
