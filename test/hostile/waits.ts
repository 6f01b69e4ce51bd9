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

/** Sites that keep their visitor waiting, each in everything it is asked. */
export const WAITS: Wait[] = [
  { name: "says nothing", answer: () => undefined, phase: "deadline" },
  {
    name: "sends its status line drop by drop",
    answer: (s) => drip(s, "HTTP/1.1 200 O", "K"),
    phase: "deadline",
  },
  {
    name: "sends headers without end, one at a time",
    answer: (s) => drip(s, "HTTP/1.1 200 OK\r\n", "x: y\r\n"),
    phase: "deadline",
  },
  {
    name: "sends one header drop by drop",
    answer: (s) => drip(s, "HTTP/1.1 200 OK\r\nx: ", "y"),
    phase: "deadline",
  },
  {
    name: "sends its body drop by drop",
    answer: (s) => drip(s, head("200 OK", HTML, "content-length: 99999"), "a"),
    phase: "body",
  },
  {
    name: "sends chunks drop by drop",
    answer: (s) => drip(s, CHUNKED, "1\r\na\r\n"),
    phase: "body",
  },
  {
    name: "sends trailers drop by drop",
    answer: (s) => drip(s, `${CHUNKED}5\r\nhello\r\n0\r\n`, "x: y\r\n"),
    phase: "body",
  },
  {
    name: "sends hints one at a time",
    answer: (s) => drip(s, "", head("103 Early Hints")),
    phase: "deadline",
  },
  {
    name: "sends a 100 Continue now and then",
    answer: (s) => drip(s, "", head("100 Continue")),
    phase: "deadline",
  },
  {
    name: "ends its page only by closing, and never does",
    answer: (s) => void s.write(head("200 OK", HTML, "connection: close") + PAGE),
    phase: "body",
  },
  {
    name: "announces more than it sends, and stays",
    answer: (s) => void s.write(head("200 OK", HTML, "content-length: 9999") + PAGE),
    phase: "body",
  },
  {
    name: "never ends its chunks",
    answer: (s) => void s.write(`${CHUNKED}5\r\nhello\r\n`),
    phase: "body",
  },
  {
    name: "answers the first byte after 1 s, the body later",
    answer: (s) =>
      setTimeout(() => drip(s, head("200 OK", HTML, "content-length: 9999"), "a"), 1000),
    phase: "body",
  },
  {
    name: "redirects to itself elsewhere, 3 s each time",
    answer: (s, { path }) =>
      void setTimeout(
        () => s.write(head("302 Found", `location: ${path}a`, "content-length: 0")),
        3000,
      ),
    phase: "deadline",
  },
  {
    name: "answers in time, and never closes",
    answer: (s) => void s.write(answerOf(PAGE, "connection: close")),
    phase: null,
  },
];
