import { parse } from "tldts";
import type { Evidence } from "../../evidence/evidence.ts";
import { isPrivateHost } from "../../../base/syntax/private-hosts.ts";
import { ownHosts } from "../../evidence/accessors.ts";
import { isPreviewLink } from "./hosts.ts";

export type HostRelation = "own" | "staging" | "private" | "other";

const HOME = /^\/(?:(?:index|default)\.[a-z]+)?$/i;
const HOME_BY_NAME =
  /^\/(?:(?:index|default|home|homepage|main|start|welcome|accueil|inicio|startseite)(?:\.[a-z]+)?|[a-z]{2}(?:[-_][a-z]{2})?)\/?$/i;

export function isRoot(pathname: string): boolean {
  return HOME.test(pathname);
}

export function isHomePath(pathname: string): boolean {
  return HOME.test(pathname) || HOME_BY_NAME.test(pathname);
}

/** Parts of host names that always mean staging. Unlike the other parts, those in `CERTAIN` are never product names. */
const CERTAIN = "staging|stg|pre-?prod(?:uction)?|uat|recette";
const STAGING = new RegExp(
  `^(?:${CERTAIN}|stage|dev|devel|develop|development|localdev|preview|test|testing|tst|qa|acceptance)\\d{0,3}$`,
);
const CERTAINLY_STAGING = new RegExp(`^(?:${CERTAIN})\\d{0,3}$`);
/** A shorter name may occur in another name by chance. */
const MIN_NAME_LENGTH = 4;
const OPTIONS = { allowPrivateDomains: true };

/** Platforms where a name is the permanent home of a site, such as an organization's documentation. */
const HOMES: readonly string[] = [
  "github.io",
  "gitlab.io",
  "pages.dev",
  "codeberg.page",
  "bitbucket.io",
  "srht.site",
  "readthedocs.io",
  "readthedocs-hosted.com",
  "gitbook.io",
  "blogspot.com",
];

interface Site {
  readonly host: string;
  readonly domain: string | null;
  readonly name: string;
  readonly labels: readonly string[];
  readonly isPlatform: boolean;
  readonly isHome: boolean;
}

function readSite(host: string): Site {
  const { domain, domainWithoutSuffix, subdomain, isPrivate } = parse(host, OPTIONS);
  const labels = (subdomain ?? "").split(".").filter((label) => label !== "");
  return {
    host,
    domain,
    name: domainWithoutSuffix ?? "",
    labels,
    isPlatform: isPrivate === true,
    isHome: HOMES.some((platform) => host.endsWith(`.${platform}`)),
  };
}

/** Also checks the parts of a label: `www-staging2` is `www` and `staging2`. */
function hasPart(label: string, pattern: RegExp): boolean {
  return pattern.test(label) || label.split("-").some((part) => pattern.test(part));
}

function isStagingSite({ labels }: Site, pattern = STAGING): boolean {
  return labels.some((label) => hasPart(label, pattern));
}

function bareName({ name }: Site): string {
  const parts = name.split("-");
  return parts.filter((part) => !STAGING.test(part)).join("-");
}

function contains(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= MIN_NAME_LENGTH && long.includes(short);
}

/** Names in Punycode (`xn--`) cannot be compared. */
function mayHaveOneOwner(own: Site, other: Site): boolean {
  const plain = (name: string) => name.replaceAll("-", "");
  if (own.name.startsWith("xn--") || other.name.startsWith("xn--")) return true;
  if (own.labels.includes(other.name)) return true;
  const [one, two] = [plain(own.name), plain(other.name)];
  return one === two || contains(one, two);
}

function isStagingOf(own: Site, other: Site): boolean {
  if (own.domain === other.domain || own.name === other.name) return isStagingSite(other);
  const isNamed = bareName(other) === own.name && other.name !== own.name;
  return isNamed && (!other.isHome || hasPart(other.name, CERTAINLY_STAGING));
}

function relateSites(own: Site, other: Site): HostRelation {
  if (own.domain === null || other.domain === null) return "own";
  if (own.domain === other.domain) return isStagingSite(other) ? "staging" : "own";
  if (own.isPlatform && !other.isPlatform) return "own";
  if (isStagingOf(own, other)) return "staging";
  if (!mayHaveOneOwner(own, other)) return "other";
  return other.isPlatform && !own.isPlatform && !other.isHome ? "staging" : "own";
}

/** On a private, staging or preview host, the site's real host is unknown, so every host counts as its own. */
export function findHostRelation(evidence: Evidence, host: string): HostRelation {
  const hosts = ownHosts(evidence);
  const isUnsettled = hosts.some(
    (own) => isPrivateHost(own) || isPreviewLink(own) || isStagingSite(readSite(own)),
  );
  if (host === "" || isUnsettled || hosts.includes(host)) return "own";
  if (isPrivateHost(host)) return "private";
  if (isPreviewLink(host)) return "staging";
  const relations = hosts.map((own) => relateSites(readSite(own), readSite(host)));
  return (["own", "staging"] as const).find((relation) => relations.includes(relation)) ?? "other";
}

export function isCertainStaging(evidence: Evidence, host: string): boolean {
  return (
    findHostRelation(evidence, host) === "staging" &&
    (isPreviewLink(host) || isStagingSite(readSite(host), CERTAINLY_STAGING))
  );
}
