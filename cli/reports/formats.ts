import type { Text } from "../../shared/language.ts";
import { describeRun } from "../check/results.ts";
import { formatJson } from "../terminal/json.ts";
import type { FormatReport } from "./report.ts";

export interface Format {
  readonly summary: Text;
  /** The format escapes unsafe characters, so it gets texts as the API sent them. Others get clean text. */
  readonly isVerbatim?: boolean;
  load(): Promise<FormatReport>;
}

export const FORMATS = {
  json: {
    summary: { fr: "ce qu'affiche --json", en: "what --json prints" },
    isVerbatim: true,
    load:
      async () =>
      (checked, { isList }) =>
        formatJson(describeRun(checked, isList)),
  },
  markdown: {
    summary: {
      fr: "pour un commentaire ou le résumé d'une tâche ; avec plusieurs pages, un tableau en premier",
      en: "for a comment or a job's summary page; with several pages, a table comes first",
    },
    load: async () => (await import("./markdown.ts")).formatMarkdownReport,
  },
  junit: {
    summary: {
      fr: "XML pour Jenkins, GitLab et d'autres : un cas de test par condition et par constat, avec le même nom à chaque exécution. S'il y a des conditions, elles seules échouent ; sinon, seuls les constats en échec. Un constat non vérifié est ignoré",
      en: "XML for Jenkins, GitLab and others: a test case for each condition of the gate and each finding, with the same name in every run. With a gate, only its conditions fail; without one, failed findings do; a finding that was not checked is skipped",
    },
    load: async () => (await import("./junit.ts")).formatJunitReport,
  },
  sarif: {
    summary: {
      fr: "2.1.0, pour l'analyse de code de GitHub : ce qui plafonne le score est une erreur, ce qui coûte 3 points ou plus est un avertissement, et le reste est une note",
      en: "2.1.0, for GitHub's code scanning: what caps the score is an error, what costs 3 points or more is a warning, and the rest is a note",
    },
    load: async () => (await import("./sarif.ts")).formatSarifReport,
  },
  gitlab: {
    summary: {
      fr: "Code Quality de GitLab : les trois niveaux de sarif y deviennent blocker, major et minor ; une condition non remplie a le niveau blocker",
      en: "GitLab Code Quality: the three levels of sarif become blocker, major and minor; a condition that is not met is a blocker",
    },
    load: async () => (await import("./gitlab.ts")).formatGitlabReport,
  },
  html: {
    summary: {
      fr: "un fichier autonome, à lire ou à imprimer",
      en: "one self-contained file for people, suitable for printing",
    },
    load: async () => (await import("./html.tsx")).formatHtmlReport,
  },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;
