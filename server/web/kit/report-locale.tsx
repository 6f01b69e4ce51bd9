import type { Reading } from "../../../shared/report/reported.ts";
import { describeMoment } from "./time.tsx";
import { CopyButton } from "./components.tsx";
import { useReader } from "./reader.tsx";

const DOCS_PATH = /^\/docs\/rules(?:#[\w.-]+)?$/;

/** The copy buttons need `COPY_SCRIPT`. */
export function useReading(): Reading {
  const reader = useReader();
  return {
    language: reader.language,
    findingsLanguage: reader.language,
    describeTime: (date) => describeMoment(new Date(date), reader),
    renderCopy: (id, name) => <CopyButton of={id} name={name} />,
    docsUrlOf: ({ docsUrl }) => (DOCS_PATH.test(docsUrl) ? docsUrl : "/docs/rules"),
  };
}
