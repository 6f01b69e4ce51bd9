import type { Quota } from "../../../shared/quota.ts";
import type { GiveUpCode } from "../evidence/exchange.ts";
import type { FinishedCheck, FinishedScan } from "../finished.ts";
import type { Look } from "../judge/look-outcome.ts";
import type { Language } from "../../base/language.ts";
import type { KnownNames } from "../net/guard.ts";
import type { Probe, ProbeRequest } from "../requests/visitor.ts";
import type { JudgedAgain, StoredEvidence } from "./judge-again.ts";

interface CheckOrder {
  request: ProbeRequest;
  id: string;
  language: Language;
  /** The quota that the check was counted on. */
  quota?: Quota;
}

/** How far a verification has come. */
export type Step = "vetting" | "visiting" | "judging";

/** A look at a URL, within `maxMs`. `endsBy`: the `sharedNow()` from which the site is asked nothing more. */
export interface LookOrder {
  lookAt: string;
  maxMs: number;
  endsBy: number;
}

/** What to do, by kind. */
export interface Orders {
  api: CheckOrder;
  /** These two are also judged as looks. */
  deployment: CheckOrder;
  cycle: CheckOrder;
  /** Judged in each language. */
  scan: Pick<CheckOrder, "request" | "id">;
  /** To ask the owner of a vetted URL's origin whether public scans are refused. */
  owner: { askOwnerOf: string };
  /** To read the sitemap at a URL. */
  sitemap: { sitemapAt: string };
  look: LookOrder;
  /** To do what a thread's first look would else be late for. */
  warmUp: null;
  judgeAgain: StoredEvidence;
}

export type TaskKind = keyof Orders;

/**
 * What a thread is asked to do. `known`: what names resolved to before; with `giveUp`, to judge the page as one that could
 * not be visited.
 */
export interface Task<Kind extends TaskKind = TaskKind> {
  kind: Kind;
  order: Orders[Kind];
  known: KnownNames;
  giveUp?: GiveUpCode;
}

/** What a verification of a watched URL or a deployment came to: whether the URL is up, and the check of its page. */
export interface Verification {
  look: Look;
  check: FinishedCheck;
  /** The status of the page's answer, if there was one. */
  status: number | null;
  /** What a deployment changes in the page (`findFingerprint`). */
  fingerprint: string[] | undefined;
  /** Whether the visit was given up for what it did to the server. */
  isGivenUp: boolean;
}

/** A look's single try, and what names resolved to during it. */
export interface LookTry {
  look: Look;
  known: KnownNames;
}

/** What an owner says about public scans of an origin. */
type OwnerAnswer = Awaited<ReturnType<Probe["askOwner"]>>;

/** The pages that a sitemap lists, or why there are none; and how many host names were looked up. */
type SitemapPages = Awaited<ReturnType<Probe["readSitemaps"]>> & { names: number };

/** The result of each kind of order. */
export interface Results {
  api: FinishedCheck;
  deployment: Verification;
  cycle: Verification;
  scan: FinishedScan;
  owner: OwnerAnswer;
  sitemap: SitemapPages;
  look: LookTry;
  warmUp: null;
  judgeAgain: JudgedAgain;
}

/** An error of our own while a result was still reached; `rule` names the rule that threw. */
export interface EngineFault {
  rule: string | null;
  error: unknown;
}

/** The result of a task, and the faults on the way to it. */
export interface Conclusion<Kind extends TaskKind = TaskKind> {
  result: Results[Kind];
  faults: readonly EngineFault[];
}
