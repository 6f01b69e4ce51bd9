import type { Reading } from "../../../shared/report/reported.ts";
import type { Language } from "../../base/language.ts";

const DOCS_PATH = /^\/docs\/rules(?:#[\w.-]+)?$/;

/** How a page shows a report that is in its own language. */
export const readingIn = (language: Language): Reading => ({
  language,
  findingsLanguage: language,
  docsUrlOf: ({ docsUrl }) => (DOCS_PATH.test(docsUrl) ? docsUrl : "/docs/rules"),
});
