import type { CheckResult } from "../../../shared/check.ts";
import type { Quota } from "../../../shared/quota.ts";
import type { Language } from "../../../shared/language.ts";
import { findFamily } from "../../base/syntax/private-hosts.ts";
import { packEvidence, unpackEvidence } from "../evidence/packed-evidence.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { GiveUpCode } from "../evidence/exchange.ts";
import { findAnswer } from "../evidence/accessors.ts";
import type { CheckKind, FinishedCheck, FinishedScan } from "../finished.ts";
import { countPreviousFiles, listServedFiles } from "../judge/facts/previous-files.ts";
import { lookOf, type Look, LOOK_RULESET, verifiedLookOf } from "../judge/look-outcome.ts";
import { judge, type Judged, scoreOf } from "../judge/score.ts";
import type { Networks } from "../net/address.ts";
import type { RequestStep } from "../net/fetch.ts";
import type { KnownNames } from "../net/guard.ts";
import { openNetwork } from "../net/network.ts";
import { createVet } from "../net/vet.ts";
import {
  createVisitor,
  giveUpVisit,
  type Visitor,
  type VisitRequest,
} from "../requests/visitor.ts";
import { composeCheck } from "./check-body.ts";
import { judgeAgain, type JudgedAgain, type StoredEvidence } from "./judge-again.ts";

interface CheckOrder {
  request: VisitRequest;
  id: string;
  language: Language;
  quota?: Quota;
  /** The packed evidence of the previous production deployment. */
  before?: Uint8Array;
}

export type CheckStep = "vetting" | "visiting" | "judging";

export interface Orders {
  api: CheckOrder;
  /** Checks of deployments and verifications of watched URLs also return the result of a probe. */
  deployment: CheckOrder;
  cycle: CheckOrder;
  scan: Pick<CheckOrder, "request" | "id">;
  owner: { robotsOf: string };
  sitemap: { sitemapAt: string };
  /** The probe ends within `maxMs`. It sends no request after `endsBy` (`Date.now()`). */
  look: { lookAt: string; maxMs: number; endsBy: number };
  judgeAgain: StoredEvidence;
}

export type TaskKind = keyof Orders;

export interface Task<Kind extends TaskKind = TaskKind> {
  kind: Kind;
  order: Orders[Kind];
  known: KnownNames;
  giveUp?: GiveUpCode;
}

export interface Verification {
  look: Look;
  check: FinishedCheck;
  status: number | null;
  isGivenUp: boolean;
}

export interface LookTry {
  look: Look;
  known: KnownNames;
}

export interface Results {
  api: FinishedCheck;
  deployment: Verification;
  cycle: Verification;
  scan: FinishedScan;
  owner: Awaited<ReturnType<Visitor["readOwner"]>>;
  /** `names`: the number of host names that were resolved. */
  sitemap: Awaited<ReturnType<Visitor["readSitemaps"]>> & { names: number };
  look: LookTry;
  judgeAgain: JudgedAgain | null;
}

/** An internal error that did not prevent a result. `rule` names the rule that threw. */
export interface EngineFault {
  rule: string | null;
  error: unknown;
}

export interface Conclusion<Kind extends TaskKind = TaskKind> {
  result: Results[Kind];
  faults: readonly EngineFault[];
}

export interface Setting {
  allowNetworks: Networks;
  scanNetworks: Networks;
  dnsServers?: readonly string[];
  userAgent: string;
  roots?: readonly string[];
}

type PerformTask<Kind extends TaskKind> = (
  task: Task<Kind>,
  signal: AbortSignal,
  onProgress: () => void,
) => Promise<Conclusion<Kind>>;

class LeaseExpired extends Error {
  constructor() {
    super("the lease has expired");
    this.name = "LeaseExpired";
  }
}

export function openVisits(setting: Setting): PerformTask<TaskKind> {
  const { allowNetworks, scanNetworks, dnsServers, userAgent, roots } = setting;
  const network = openNetwork(allowNetworks, dnsServers);
  void network.translations?.();
  const visitor = createVisitor({ network, userAgent, ...(roots && { roots }) });
  const vetScan = createVet({ ...network, allowNetworks: scanNetworks });

  const look: PerformTask<"look"> = async ({ order, known }, signal, onProgress) => {
    const startedAt = performance.now();
    const requireLease = () => {
      if (Date.now() >= order.endsBy) throw new LeaseExpired();
    };
    const onStep = (step: RequestStep) => {
      requireLease();
      if (step === "request") onProgress();
    };
    const vetted = await visitor.vet(order.lookAt, signal, known);
    try {
      const maxMs = order.maxMs - (performance.now() - startedAt);
      const evidence = await visitor.probe(vetted, { url: order.lookAt, maxMs, onStep }, signal);
      requireLease();
      const judged = judge(evidence, LOOK_RULESET);
      const outcome = lookOf(judged);
      const result = { look: outcome, known: outcome.outcome === "failed" ? vetted.known : [] };
      return { result, faults: faultsOf(judged) };
    } finally {
      vetted.close();
    }
  };

  const readOwner: PerformTask<"owner"> = async ({ order, known }, signal) => {
    const vetted = await vetScan(order.robotsOf, signal, known);
    try {
      return { result: await visitor.readOwner(vetted, signal), faults: [] };
    } finally {
      vetted.close();
    }
  };

  const readSitemaps: PerformTask<"sitemap"> = async ({ order, known: before }, signal) => {
    const vetted = await visitor.vet(order.sitemapAt, signal, before);
    try {
      const read = await visitor.readSitemaps(vetted, order.sitemapAt, signal);
      const known = await vetted.guard.getKnown();
      const names = known.filter(([host]) => findFamily(host) === undefined).length;
      return { result: { ...read, names }, faults: [] };
    } finally {
      vetted.close();
    }
  };

  /** Returns a result even after an internal error. */
  async function verify<Kind extends CheckKind>(
    { kind, order, known, giveUp }: Task<Kind>,
    signal: AbortSignal,
    onProgress: () => void,
  ): Promise<Conclusion<Kind>> {
    const vetted = await (kind === "scan" ? vetScan : visitor.vet)(
      order.request.url,
      signal,
      known,
    );
    try {
      if (giveUp) return await assessVisit(kind, giveUpVisit(vetted, order.request, giveUp), order);
      const previousFiles = await listPreviousFiles(order);
      const evidence = await visitor.run(vetted, { ...order.request, previousFiles }, signal);
      onProgress();
      return await assessVisit(kind, evidence, order);
    } catch (error) {
      signal.throwIfAborted();
      const givenUp = giveUpVisit(vetted, order.request, "failed");
      const { result, faults } = await assessVisit(kind, givenUp, order);
      return { result, faults: [...faults, { rule: null, error }] };
    } finally {
      vetted.close();
    }
  }

  const performers: { [Kind in TaskKind]: PerformTask<Kind> } = {
    api: verify,
    deployment: verify,
    cycle: verify,
    scan: verify,
    owner: readOwner,
    sitemap: readSitemaps,
    look,
    judgeAgain: async ({ order }) => ({ result: await judgeAgain(order), faults: [] }),
  };
  return <Kind extends TaskKind>(
    task: Task<Kind>,
    signal: AbortSignal,
    onProgress: () => void,
  ): Promise<Conclusion<Kind>> => performers[task.kind](task, signal, onProgress);
}

async function listPreviousFiles({ before }: Partial<CheckOrder>): Promise<string[]> {
  const evidence = before && (await unpackEvidence(before));
  return evidence ? listServedFiles(evidence) : [];
}

function faultsOf({ rows }: Judged): EngineFault[] {
  return rows.flatMap(({ row, error }) => (error === undefined ? [] : [{ rule: row.id, error }]));
}

type Compose<Kind extends CheckKind> = (
  judged: Judged,
  order: Orders[Kind],
) => Promise<Results[Kind]>;

const COMPOSE: { [Kind in CheckKind]: Compose<Kind> } = {
  api: composeFinished,
  deployment: composeVerification,
  cycle: composeVerification,
  scan: composeScan,
};

async function assessVisit<Kind extends CheckKind>(
  kind: Kind,
  evidence: Evidence,
  order: Orders[Kind],
): Promise<Conclusion<Kind>> {
  const judged = judge(evidence);
  return { result: await COMPOSE[kind](judged, order), faults: faultsOf(judged) };
}

async function composeFinished(
  judged: Judged,
  { id, language, quota }: Orders["api"],
): Promise<FinishedCheck> {
  const { evidence } = judged;
  const check = composeCheck(id, evidence, scoreOf(judged, language), quota);
  const findings = Object.fromEntries(
    check.findings.map(({ id: finding, status, earned }) => [finding, `${status} ${earned}`]),
  );
  const packed = await packCheck(evidence, check, language);
  const previousFiles = countPreviousFiles(evidence);
  return { ...packed, answer: JSON.stringify(check), findings, previousFiles };
}

async function composeVerification(judged: Judged, order: Orders["api"]): Promise<Verification> {
  const { evidence } = judged;
  return {
    look: verifiedLookOf(judged),
    check: await composeFinished(judged, order),
    status: findAnswer(evidence)?.status ?? null,
    isGivenUp: evidence.page.failure?.phase === "check",
  };
}

async function composeScan(judged: Judged, { id }: Orders["scan"]): Promise<FinishedScan> {
  const { evidence } = judged;
  const write = (language: Language) => composeCheck(id, evidence, scoreOf(judged, language));
  const [fr, en] = [write("fr"), write("en")];
  const answers = { fr: JSON.stringify(fr), en: JSON.stringify(en) };
  return { ...(await packCheck(evidence, fr, "fr")), answers };
}

async function packCheck(
  evidence: Evidence,
  { score, verdict, ruleset }: Pick<CheckResult, "score" | "verdict" | "ruleset">,
  language: Language,
): Promise<Omit<FinishedScan, "answers">> {
  const packed = await packEvidence(evidence, { ruleset, language });
  const { firstByteMs } = evidence.page.timings;
  return {
    url: evidence.url,
    score,
    verdict,
    ruleset,
    firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
    evidence: packed,
  };
}
