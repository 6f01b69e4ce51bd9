import type { Leak } from "../../evidence/evidence.ts";
import type { PageTexts } from "./page-texts.ts";
import { findTitle } from "./signature.ts";

interface Trace {
  name: string;
  shown: RegExp;
}

const JAVA_FRAME = /\n\s{0,8}at [\w$.<>/]{1,300}\([\w$. ]{1,100}(?::\d+)?\)/;

/** The markup identifies the product, so a smaller share of the text suffices as proof. */
const PRODUCTS: readonly (Trace & { markup: RegExp })[] = [
  {
    name: "Express stack trace",
    markup: /<pre>[^<>]{0,2000}<br> &nbsp; &nbsp;at /,
    shown: /\n {4}at /,
  },
  {
    name: "Tomcat stack trace",
    markup: /<title>(?:HTTP Status 500|Apache Tomcat\/[^<>\s]{1,40} - Error report)/,
    shown: JAVA_FRAME,
  },
  {
    name: "Spring Boot stack trace",
    markup: /<h1>Whitelabel Error Page<\/h1>/,
    shown: JAVA_FRAME,
  },
];

const TRACES: readonly Trace[] = [
  {
    name: "Python stack trace",
    shown: /Traceback \(most recent call last\):(?:\s|\\n){1,8}File (?:"|\\")/,
  },
  {
    name: "Java stack trace",
    shown: /(?:\n|\\n)(?:\s|\\t){1,8}at [\w$.<>/]{1,300}\([\w$]+\.(?:java|kt|scala):\d+\)/,
  },
  {
    name: ".NET stack trace",
    shown: /(?:\n|\\n) {3}at [^\n()]{1,300}\([^\n()]{0,300}\) in [^\n]{1,300}:line \d+/,
  },
  { name: "Node.js stack trace", shown: /(?:\n|\\n) {4}at [^\n]{1,300}:\d+:\d+/ },
  { name: "Ruby stack trace", shown: /\.rb:\d+:in [`'&]/ },
  { name: "Go stack trace", shown: /\bgoroutine \d+ \[running\]:/ },
  {
    name: "PHP stack trace",
    shown: /(?:\n|\\n)\s{0,8}(?:#\d{1,3} )?vendor\/[\w./-]{1,200}\.php:\d/,
  },
  { name: "PHP stack trace", shown: /Stack trace:(?:\s|\\n){1,4}#0 / },
];

const FRAME =
  /^\s*(?:at \S|File (?:"|\\")|Traceback \(most|Caused by: |\.\.\. \d+ more|#\d+ |Stack trace:|goroutine \d+ \[|--- End of)|\.(?:rb|go|py|js|ts|mjs|cjs|java|php|exs?):\d+\b/;
const MAX_LINE = 400;
const ERROR_TITLE =
  /^(?:(?:internal |application )?(?:server )?error|http status 5\d\d.*|5\d\d\b.*|traceback.*)$/i;
const MIN_SHARE_OF_PRODUCT = 0.2;
const MIN_SHARE_OF_ERROR = 0.5;
const MIN_SHARE_OF_PAGE = 0.75;

/** The message before the first frame, or the code after a Python frame. */
function isNextToFrame(lines: readonly string[], index: number): boolean {
  const isMessage = FRAME.test(lines[index + 1] ?? "") && !FRAME.test(lines[index - 1] ?? "");
  return isMessage || /^\s*File (?:"|\\")/.test(lines[index - 1] ?? "");
}

function measureTrace(shown: string): number {
  const lines = shown
    .split(/\n|\\n/)
    .map((line) => line.slice(0, MAX_LINE))
    .filter((line) => /\S/.test(line));
  const trace = lines.filter((line, index) => FRAME.test(line) || isNextToFrame(lines, index));
  return trace.join("").length / Math.max(lines.join("").length, 1);
}

/** An article may quote a trace, so the trace must make up most of the page. */
export function findTrace(page: PageTexts): Leak | null {
  const { markup } = page;
  const shown = `\n${page.shown}`;
  const product = PRODUCTS.find((trace) => trace.markup.test(markup) && trace.shown.test(shown));
  const found = product ?? TRACES.find((trace) => trace.shown.test(shown));
  if (!found || measureTrace(shown) < findLeastShare(page, product)) return null;
  const [start = ""] = /\S[^\n\\"<&]{0,40}/.exec(shown.slice(shown.search(found.shown))) ?? [];
  return { signature: found.name, offset: Math.max(markup.indexOf(start), 0) };
}

function findLeastShare(page: PageTexts, product: Trace | undefined): number {
  if (product) return MIN_SHARE_OF_PRODUCT;
  const title = findTitle(page)?.text ?? "";
  return title === "" || ERROR_TITLE.test(title) ? MIN_SHARE_OF_ERROR : MIN_SHARE_OF_PAGE;
}
