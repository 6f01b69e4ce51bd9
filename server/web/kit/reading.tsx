import type { Reading } from "../../../shared/report/reported.ts";
import { describeMoment, type TimeReader } from "./age.ts";
import { CopyButton } from "./copy.tsx";

const DOCS_PATH = /^\/docs\/rules(?:#[\w.-]+)?$/;

/** How a page shows a report that is in its reader's language. What there is to paste is copied where `COPY_SCRIPT` runs. */
export const readingIn = (reader: TimeReader): Reading => ({
  language: reader.language,
  findingsLanguage: reader.language,
  describeTime: (date) => describeMoment(new Date(date), reader),
  renderCopy: (id, name) => <CopyButton of={id} name={name} language={reader.language} />,
  docsUrlOf: ({ docsUrl }) => (DOCS_PATH.test(docsUrl) ? docsUrl : "/docs/rules"),
});
