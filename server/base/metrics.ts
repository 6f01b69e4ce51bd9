import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

/** The label `kind` of what a check was made for. */
export const KIND_LABELS = {
  api: "check",
  deployment: "deployment",
  cycle: "look",
  scan: "scan",
} as const;

/** The metrics of one process, in Prometheus' text format. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Counter<"method" | "route" | "status">;
  readonly checks: Counter<"kind" | "verdict">;
  readonly quotaRefusals: Counter;
  readonly ruleFailures: Counter<"rule">;
  readonly givenUpChecks: Counter<"kind" | "reason">;
  readonly endedThreads: Counter<"reason">;
  readonly checkSeconds: Histogram<"kind">;
  readonly querySeconds: Histogram;
  readonly cycleLagSeconds: Gauge;
  readonly looks: Counter<"outcome">;
  readonly looksRunning: Gauge;
  readonly claims: Counter;
  readonly results: Counter;
  readonly leasesLost: Counter;
  readonly judgementWithheld: Gauge;
  readonly setAside: Gauge;
  /** These three are of all servers. */
  readonly incidentsOpen: Gauge;
  readonly deploymentsQueued: Gauge;
  readonly outboxMessages: Gauge<"state">;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: "shipscore_http_requests_total",
      help: "Answers, by method, route pattern and status",
      labelNames: ["method", "route", "status"],
      registers,
    }),
    checks: countChecks(registers),
    quotaRefusals: new Counter({
      name: "shipscore_quota_refusals_total",
      help: "Checks refused because the month's quota was used up",
      registers,
    }),
    ruleFailures: new Counter({
      name: "shipscore_rule_failures_total",
      help: "Rules that threw on a page, which makes them unknown for it",
      labelNames: ["rule"],
      registers,
    }),
    givenUpChecks: countGivenUp(registers),
    endedThreads: countEndedThreads(registers),
    checkSeconds: timeChecks(registers),
    querySeconds: new Histogram({
      name: "shipscore_query_seconds",
      help: "Seconds that a database query or transaction took, including waiting",
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5],
      registers,
    }),
    cycleLagSeconds: new Gauge({
      name: "shipscore_cycle_lag_seconds",
      help: "Seconds by which the most overdue look is late",
      registers,
    }),
    looks: countLooks(registers),
    looksRunning: new Gauge({
      name: "shipscore_looks_running",
      help: "Looks that this server runs now",
      registers,
    }),
    claims: new Counter({
      name: "shipscore_claims_total",
      help: "Watched URLs claimed for a look",
      registers,
    }),
    results: new Counter({
      name: "shipscore_results_total",
      help: "Results of looks stored",
      registers,
    }),
    leasesLost: new Counter({
      name: "shipscore_leases_lost_total",
      help: "Looks whose claim was over before their result was stored, which then changes nothing",
      registers,
    }),
    judgementWithheld: new Gauge({
      name: "shipscore_judgement_withheld",
      help: "1 while failures are held against no site, since nothing answers this server; else 0",
      registers,
    }),
    setAside: new Gauge({
      name: "shipscore_set_aside",
      help: "1 while the place of this server is set aside and others judge; else 0",
      registers,
    }),
    incidentsOpen: new Gauge({
      name: "shipscore_incidents_open",
      help: "Watched URLs that are failing, over all servers",
      registers,
    }),
    deploymentsQueued: new Gauge({
      name: "shipscore_deployments_queued",
      help: "Deployments that wait for their verification or are being verified, over all servers",
      registers,
    }),
    outboxMessages: countMessages(registers),
  };
}

function countMessages(registers: Registry[]): Gauge<"state"> {
  const gauge = new Gauge({
    name: "shipscore_outbox_messages",
    help: "Messages of alerts that are kept, by state (pending, sent, dead), over all servers",
    labelNames: ["state"] as const,
    registers,
  });
  for (const state of ["pending", "sent", "dead"]) gauge.set({ state }, 0);
  return gauge;
}

function countLooks(registers: Registry[]): Counter<"outcome"> {
  const counter = new Counter({
    name: "shipscore_looks_total",
    help: "Looks at watched URLs whose result is stored, by outcome",
    labelNames: ["outcome"] as const,
    registers,
  });
  for (const outcome of ["good", "failed", "inconclusive"]) counter.inc({ outcome }, 0);
  return counter;
}

const VERDICTS = ["ship", "ship_with_warnings", "do_not_ship", "inconclusive"];
const VERDICTS_BY_KIND = {
  check: VERDICTS,
  deployment: [...VERDICTS, "unverified"],
  look: ["good", "failed", "inconclusive"],
  scan: VERDICTS,
};

function countChecks(registers: Registry[]): Counter<"kind" | "verdict"> {
  const counter = new Counter({
    name: "shipscore_checks_total",
    help: "Verifications that ended, by kind (check, look, deployment, scan) and verdict",
    labelNames: ["kind", "verdict"] as const,
    registers,
  });
  for (const [kind, verdicts] of Object.entries(VERDICTS_BY_KIND))
    for (const verdict of verdicts) counter.inc({ kind, verdict }, 0);
  return counter;
}

function countEndedThreads(registers: Registry[]): Counter<"reason"> {
  const counter = new Counter({
    name: "shipscore_ended_threads_total",
    help: "Check threads that hung or crashed",
    labelNames: ["reason"] as const,
    registers,
  });
  for (const reason of ["hung", "crashed"]) counter.inc({ reason }, 0);
  return counter;
}

function countGivenUp(registers: Registry[]): Counter<"kind" | "reason"> {
  const counter = new Counter({
    name: "shipscore_given_up_checks_total",
    help: "Verifications given up because of what they did to the server, by kind and reason (hung, crashed, failed)",
    labelNames: ["kind", "reason"] as const,
    registers,
  });
  for (const kind of Object.values(KIND_LABELS))
    for (const reason of ["hung", "crashed", "failed"]) counter.inc({ kind, reason }, 0);
  return counter;
}

function timeChecks(registers: Registry[]): Histogram<"kind"> {
  const histogram = new Histogram({
    name: "shipscore_check_seconds",
    help: "Seconds from a verification's start to its result",
    labelNames: ["kind"] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2, 4, 8, 12],
    registers,
  });
  for (const kind of Object.values(KIND_LABELS)) histogram.zero({ kind });
  return histogram;
}
