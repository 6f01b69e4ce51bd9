import type { Text } from "../../../../shared/language.ts";
import { areOfOneDomain } from "../../../base/syntax/host-pattern.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Resource } from "../../evidence/html.ts";
import { headerValues } from "../../evidence/accessors.ts";
import { findDigests } from "../../evidence/source-hash.ts";
import { type Judged, type Block, sandboxed } from "./block.ts";
import { lacksToken } from "./policy.ts";

/** Kinds whose requests the file's resource policy can block (Fetch, 3.7). */
const WITHOUT_CORS: readonly string[] = ["script", "style", "image", "media"];

/**
 * Implements Fetch, 3.3, 3.7 and 4.9. A sandbox gives the page an origin that differs even from that of the page's own
 * files (HTML, 7.1.1).
 */
export function findForeignBlock(
  { page, policies, assets, isIsolated }: Judged,
  file: Resource,
  url: URL,
): Block | undefined {
  const isOwn = url.origin === page.origin;
  const isOpaque = policies.some((policy) => lacksToken(policy, "allow-same-origin"));
  if (isOwn && !isOpaque) return undefined;
  const { kind, crossorigin, integrity } = file;
  const isCors = kind === "module" || (crossorigin !== null && kind !== "frame");
  if (!isCors && ["script", "style"].includes(kind) && findDigests(integrity).length > 0)
    return {
      cause: "uncheckable",
      answer: { fr: "integrity sans crossorigin", en: "integrity without crossorigin" },
    };
  const { status = null, headers = [] } = assets.get(file.url) ?? {};
  if (status === null || status < 200 || status >= 300) return undefined;
  const origin = isOpaque ? "null" : page.origin;
  if (isCors && allowsCors(headers, origin, crossorigin)) return undefined;
  if (isCors) return isOwn ? sandboxed("allow-same-origin") : refuseCors(origin);
  if (!WITHOUT_CORS.includes(kind)) return undefined;
  const value = headerValues(headers, "cross-origin-resource-policy").join(", ").trim();
  const isSameSite = areOfOneDomain(url.hostname, page.hostname);
  if (value === "same-origin" || (value === "same-site" && !isSameSite))
    return refuseResource({
      fr: `${RESOURCE_POLICY} : ${value}`,
      en: `${RESOURCE_POLICY}: ${value}`,
    });
  if (!isIsolated || value === "same-site" || value === "cross-origin") return undefined;
  return refuseResource({ fr: `sans ${RESOURCE_POLICY}`, en: `no ${RESOURCE_POLICY}` });
}

const RESOURCE_POLICY = "Cross-Origin-Resource-Policy";

function refuseResource(answer: Text): Block {
  return { cause: "corp", answer };
}

function refuseCors(origin: string): Block {
  const name = "Access-Control-Allow-Origin";
  return { cause: "cors", answer: { fr: `sans ${name}: ${origin}`, en: `no ${name}: ${origin}` } };
}

/** See Fetch, 4.9. */
function allowsCors(
  headers: Evidence["assets"][number]["headers"],
  origin: string,
  crossorigin: Resource["crossorigin"],
): boolean {
  const allowed = headerValues(headers, "access-control-allow-origin").join(", ").trim();
  if (crossorigin !== "use-credentials") return allowed === "*" || allowed === origin;
  const isTrusted = headerValues(headers, "access-control-allow-credentials").join(", ") === "true";
  return allowed === origin && isTrusted;
}
