import { randomBytes } from "node:crypto";
import { ACCEPT_ANY, answerOf, SKIPPED, targetAt } from "./answer.ts";
import { MISSING_FILE_REQUESTS } from "../../base/bounds.ts";
import { isHashedName } from "../../base/syntax/hashed-name.ts";
import { extractMediaType, HTML_TYPES } from "../../base/syntax/media-type.ts";
import { startsAsHtml } from "./body/body-facts.ts";
import type { AssetCandidate } from "./body/html-references.ts";
import type { VisitContext } from "./context.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { fetchOnce, findList, findLocation, type ReceivedAnswer } from "../net/fetch.ts";
import type { Target } from "../net/guard.ts";
import { redactUrl } from "./privacy/redact.ts";
import { followRedirect } from "./redirect-chain.ts";
import { type ReferringPage, sendReferer } from "./samples.ts";

const MAX_START_BYTES = 4096;

/** Keeps the folder and the ending, by which servers and routers choose their answer. */
function nameMissingFile({ pathname }: URL): string {
  const folder = pathname.slice(0, pathname.lastIndexOf("/") + 1);
  const ending = pathname.slice(pathname.lastIndexOf("."));
  return `${folder}shipscore-${randomBytes(8).toString("hex")}${ending}`;
}

/** R13 (see `Evidence`). Follows redirects, because a browser would use the file that they lead to. */
export async function fetchMissingFile(
  context: VisitContext,
  origin: Target,
  page: ReferringPage,
  files: readonly AssetCandidate[],
): Promise<Evidence["missingFile"]> {
  const hashed = files.find(
    ({ url }) => url.origin === page.url.origin && isHashedName(url.pathname),
  );
  if (!hashed) return null;
  const first = targetAt(origin, nameMissingFile(hashed.url));
  const reserve = context.budget.reserve(MISSING_FILE_REQUESTS);
  const visited: URL[] = [];
  let found = { ...SKIPPED, url: redactUrl(first.url), end: null as string | null, isHtml: false };
  let target: Target | null = first;
  while (target && !context.signal.aborted && reserve.take()) {
    const { url } = target;
    const exchange = await fetchOnce(context, target, {
      accept: ACCEPT_ANY,
      maxBytes: MAX_START_BYTES,
      findLimit: async (received) => (isTypedHtml(received) ? 0 : MAX_START_BYTES),
      headers: sendReferer(page.url, url, page.policy),
    });
    const { received, failure } = exchange;
    visited.push(url);
    const isHtml =
      received !== null &&
      (isTypedHtml(received) || startsAsHtml(received.content?.bytes.toString("latin1") ?? ""));
    const end = visited.length > 1 ? redactUrl(url) : null;
    found = { ...found, ...answerOf(exchange), end, isHtml };
    const location = received && !failure ? findLocation(received) : undefined;
    const step = location ? await followRedirect(context.guard, visited, location) : undefined;
    target = step && "follow" in step ? step.follow : null;
  }
  reserve.release();
  return found;
}

function isTypedHtml({ rawHeaders }: ReceivedAnswer): boolean {
  const type = extractMediaType(findList(rawHeaders, "content-type") ?? "");
  return HTML_TYPES.includes(type?.essence ?? "");
}
