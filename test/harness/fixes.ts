import type { Browser } from "playwright-core";
import { scoreEvidence } from "../../server/engine/judge/score.ts";
import type { Finding } from "../../shared/check.ts";
import { probeUrl } from "./probing.ts";
import { askChromium, type RefusalCase, type Sent, startPages, urlOfPage } from "./refusals.ts";

/** Lines of a page's findings, and what pasting them loses. */
export interface Pasted {
  readonly lines: readonly string[];
  readonly lost: readonly string[];
}

const HEADER = /^([A-Z][A-Za-z-]+): (.*)$/;
/** Those that are sent with the page; most servers send the others with all that they serve. */
const OF_THE_PAGE = ["content-type", "cache-control"];

const EMBEDDER = "cross-origin-embedder-policy";

/** A second policy stands beside the first; any other header replaces what was sent, and so does a trial of an embedder's policy. */
function pasteHeader({ headers, body }: Sent, name: string, value: string): Sent {
  const before = name === "content-security-policy" ? headers[name] : undefined;
  const { [EMBEDDER]: _replaced, ...others } = headers;
  const kept = name === `${EMBEDDER}-report-only` ? others : headers;
  return { headers: { ...kept, [name]: before ? `${before}, ${value}` : value }, body };
}

/** Puts an element in the place of the one that it mends, or at the start of the page or its head. */
function pasteElement({ headers, body }: Sent, line: string): Sent {
  const page = String(body);
  const [start = ""] = /^<!?\w+(?: (?:charset|name="[^"]*"|rel="[^"]*"))?/.exec(line) ?? [];
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
    return isPage || !OF_THE_PAGE.includes(name) ? pasteHeader(sent, name, value) : sent;
  return isPage ? pasteElement(sent, line) : sent;
}

function without(some: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...some].filter((one) => !others.has(one));
}

/** What the page asks for and gets, its frames, and the lines of what it is refused. */
async function load(browser: Browser, url: string, wanted: ReadonlySet<string>) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const asked = new Set<string>();
  page.on("response", (response) => asked.add(`${response.request().method()} ${response.url()}`));
  page.on("framenavigated", (frame) => asked.add(`frame ${frame.url()}`));
  const refused = await askChromium(page, url);
  if (without(wanted, asked).length > 0) await page.waitForLoadState("networkidle");
  await context.close();
  return { asked, refused: new Set(refused.map((line) => `line ${line}`)) };
}

/** How long an answer takes is not the page's doing, and one that was short of the size to compress may grow past it. */
const BY_CHANCE = ["perf.speed", "perf.compression"];

async function judge(url: string): Promise<readonly Finding[]> {
  const { findings } = scoreEvidence(await probeUrl(url), "en");
  return findings.filter(({ id }) => !BY_CHANCE.includes(id));
}

/** Whether the line goes into the page or its answer, not into a server's configuration. */
function isPasted(line: string): boolean {
  return HEADER.test(line) || (line.startsWith("<") && !line.startsWith("<add "));
}

/**
 * Pastes the headers and elements that a page's findings give, all of them and, if `isThorough`, each alone, and loads and
 * judges the page again.
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
    const found = await judge(url);
    const offered = found.filter(({ fixLine }) => fixLine?.split("\n").some(isPasted));
    const pasted: Pasted[] = [];
    for (const set of [offered, ...(isThorough ? offered.map((one) => [one]) : [])]) {
      lines = [...new Set(set.flatMap(({ fixLine }) => fixLine?.split("\n") ?? []))].filter(
        isPasted,
      );
      const after = await load(browser, url, before.asked);
      const judged = new Map((await judge(url)).map((one) => [one.id, one]));
      const earned = (id: string) => judged.get(id)?.earned ?? 0;
      const lost = [
        ...without(before.asked, after.asked),
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
