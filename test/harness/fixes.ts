import type { Browser } from "playwright-core";
import { scoreEvidence } from "../../server/engine/judge/score.ts";
import type { Finding } from "../../shared/check.ts";
import { probeUrl } from "./probing.ts";
import {
  listBlockedByChromium,
  type RefusalCase,
  type Sent,
  startPages,
  urlOfPage,
} from "./refusals.ts";

/** The lines of a page's findings that were pasted, and what the page loses. */
export interface Pasted {
  readonly lines: readonly string[];
  readonly lost: readonly string[];
}

const HEADER = /^([A-Z][A-Za-z-]+): (.*)$/;
/** These headers are sent only with the page; most servers send the others with every file. */
const PAGE_HEADERS = ["content-type", "cache-control"];

const EMBEDDER = "cross-origin-embedder-policy";

/** Adds a second policy to the first. Any other header replaces the old one. A report-only embedder policy replaces the enforced one. */
function pasteHeader({ headers, body }: Sent, name: string, value: string): Sent {
  const before = name === "content-security-policy" ? headers[name] : undefined;
  const { [EMBEDDER]: _replaced, ...others } = headers;
  const remaining = name === `${EMBEDDER}-report-only` ? others : headers;
  return { headers: { ...remaining, [name]: before ? `${before}, ${value}` : value }, body };
}

/** Replaces the element that the line fixes, or inserts the line at the start of the page or its head. */
function pasteElement({ headers, body }: Sent, line: string): Sent {
  const page = String(body);
  const [written = ""] =
    /^<!?\w+(?: (?:charset|(?:name|rel|http-equiv)="[^"]*"))?/.exec(line) ?? [];
  const start = written.toLowerCase();
  const old = page.split("\n").find((one) =>
    one
      .toLowerCase()
      .replace(/ id=e\d+/, "")
      .startsWith(start),
  );
  if (old !== undefined) return { headers, body: page.replace(old, line) };
  const place = line.startsWith("<!") ? "" : (/^(?:<!.*\n)*<html.*\n/.exec(page)?.[0] ?? "");
  return { headers, body: `${place}${line}\n${page.slice(place.length)}` };
}

function paste(sent: Sent, line: string, isPage: boolean): Sent {
  const [, header = "", value = ""] = HEADER.exec(line) ?? [];
  const name = header.toLowerCase();
  if (name !== "")
    return isPage || !PAGE_HEADERS.includes(name) ? pasteHeader(sent, name, value) : sent;
  return isPage ? pasteElement(sent, line) : sent;
}

function without(some: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...some].filter((one) => !others.has(one));
}

/** The page's requests and answers, its frames, and the lines of blocked elements. */
async function load(browser: Browser, url: string, wanted: ReadonlySet<string>) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const requested = new Set<string>();
  page.on("response", (response) =>
    requested.add(`${response.request().method()} ${response.url()}`),
  );
  page.on("framenavigated", (frame) => requested.add(`frame ${frame.url()}`));
  const refused = await listBlockedByChromium(page, url);
  if (without(wanted, requested).length > 0) await page.waitForLoadState("networkidle");
  await context.close();
  return { requested, refused: new Set(refused.map((line) => `line ${line}`)) };
}

/** The speed of an answer varies between runs. A pasted line may make a file so large that it should be compressed. */
const UNSTABLE_RULES = ["perf.speed", "perf.compression"];

async function assess(url: string): Promise<readonly Finding[]> {
  const { findings } = scoreEvidence(await probeUrl(url), "en");
  return findings.filter(({ id }) => !UNSTABLE_RULES.includes(id));
}

/** Whether the line belongs in the page or its headers, not in a server's configuration. */
function isPasted(line: string): boolean {
  return HEADER.test(line) || (line.startsWith("<") && !line.startsWith("<add "));
}

/**
 * Pastes the headers and elements from a page's findings, then loads and assesses the page again. Pastes all of them together and, if
 * `isThorough`, each alone.
 */
export async function pasteFixes(
  browser: Browser,
  page: RefusalCase,
  isThorough: boolean,
): Promise<Pasted[]> {
  let lines: readonly string[] = [];
  const site = await startPages([page], (sent, isPage) =>
    lines.reduce((changed, line) => paste(changed, line, isPage), sent),
  );
  const url = urlOfPage(site, 0);
  try {
    const before = await load(browser, url, new Set());
    const found = await assess(url);
    const offered = found.filter(({ fixLine }) => fixLine?.split("\n").some(isPasted));
    const pasted: Pasted[] = [];
    for (const set of [offered, ...(isThorough ? offered.map((one) => [one]) : [])]) {
      lines = [...new Set(set.flatMap(({ fixLine }) => fixLine?.split("\n") ?? []))].filter(
        isPasted,
      );
      const after = await load(browser, url, before.requested);
      const judged = new Map((await assess(url)).map((one) => [one.id, one]));
      const earned = (id: string) => judged.get(id)?.earned ?? 0;
      const lost = [
        ...without(before.requested, after.requested),
        ...without(after.refused, before.refused),
        ...found.filter((one) => earned(one.id) < one.earned).map(({ id }) => `${id} falls`),
        ...set
          .filter((one) => judged.get(one.id)?.evidence === one.evidence)
          .map(({ id }) => `${id} stays`),
      ];
      pasted.push({ lines, lost });
    }
    return pasted;
  } finally {
    await site.close();
  }
}
