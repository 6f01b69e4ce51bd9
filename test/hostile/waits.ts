import type { Answer } from "./hostile-site.ts";
import { answerOf, drip, head } from "./writing.ts";

const HTML = "content-type: text/html";
const PAGE = "<!doctype html><title>Hello</title><p>Hello there.";
const CHUNKED = head("200 OK", HTML, "transfer-encoding: chunked");

export interface Wait {
  name: string;
  answer: Answer;
  /** Where R1 stopped, or null where it did not. */
  phase: string | null;
}

const waits = (phase: string | null, answers: Record<string, Answer>): Wait[] =>
  Object.entries(answers).map(([name, answer]) => ({ name, answer, phase }));

/** Sites that keep their visitor waiting, each in everything it is asked. */
export const WAITS: Wait[] = [
  ...waits("deadline", {
    "says nothing": () => undefined,
    "sends its status line drop by drop": (s) => drip(s, "HTTP/1.1 200 O", "K"),
    "sends headers without end, one at a time": (s) => drip(s, "HTTP/1.1 200 OK\r\n", "x: y\r\n"),
    "sends one header drop by drop": (s) => drip(s, "HTTP/1.1 200 OK\r\nx: ", "y"),
    "sends hints one at a time": (s) => drip(s, "", head("103 Early Hints")),
    "sends a 100 Continue now and then": (s) => drip(s, "", head("100 Continue")),
  }),
  ...waits(null, {
    "sends its body drop by drop": (s) =>
      drip(s, head("200 OK", HTML, "content-length: 99999"), "a"),
    "sends chunks drop by drop": (s) => drip(s, CHUNKED, "1\r\na\r\n"),
    "sends trailers drop by drop": (s) => drip(s, `${CHUNKED}5\r\nhello\r\n0\r\n`, "x: y\r\n"),
    "ends its page only by closing, and never does": (s) =>
      void s.write(head("200 OK", HTML, "connection: close") + PAGE),
    "announces more than it sends, and stays": (s) =>
      void s.write(head("200 OK", HTML, "content-length: 9999") + PAGE),
    "never ends its chunks": (s) => void s.write(`${CHUNKED}5\r\nhello\r\n`),
    "answers the first byte after 1 s, the body later": (s) =>
      setTimeout(() => drip(s, head("200 OK", HTML, "content-length: 9999"), "a"), 1000),
    "redirects to itself elsewhere, 3 s each time": (s, { path }) =>
      void setTimeout(
        () => s.write(head("302 Found", `location: ${path}a`, "content-length: 0")),
        3000,
      ),
    "answers in time, and never closes": (s) => void s.write(answerOf(PAGE, "connection: close")),
  }),
];
