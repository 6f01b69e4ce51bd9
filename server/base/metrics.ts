import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

export const KIND_LABELS = {
  api: "check",
  deployment: "deployment",
  cycle: "look",
  scan: "scan",
} as const;

const VERDICTS = ["ship", "ship_with_warnings", "do_not_ship", "inconclusive"];
const VERDICTS_BY_KIND = {
  check: VERDICTS,
  deployment: [...VERDICTS, "unverified"],
  look: ["good", "failed", "inconclusive"],
  scan: VERDICTS,
};
const KINDS = Object.values(KIND_LABELS);
const FAILED_CHECKS = ["hung", "crashed", "failed"];

const each = <Name extends string>(name: Name, values: readonly string[]) =>
  values.map((value) => ({ [name]: value }) as Record<Name, string>);

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const counter = (name: string, help: string) => new Counter({ name, help, registers });

  /** The `known` series exist from the start, at 0. */
  function counterOf<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    known: readonly Record<Label, string>[] = [],
  ): Counter<Label> {
    const made = new Counter({ name, help, labelNames, registers });
    for (const labels of known) made.inc(labels, 0);
    return made;
  }

  const checkSeconds = new Histogram({
    name: "shipscore_check_seconds",
    help: "Seconds from a verification's start to its result",
    labelNames: ["kind"] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2, 4, 8, 12],
    registers,
  });
  for (const kind of KINDS) checkSeconds.zero({ kind });
  const outboxMessages = new Gauge({
    name: "shipscore_outbox_messages",
    help: "Messages of alerts that are kept, by state (pending, sent, dead), over all servers",
    labelNames: ["state"] as const,
    registers,
  });
  for (const state of ["pending", "sent", "dead"]) outboxMessages.set({ state }, 0);

  return {
    registry,
    checkSeconds,
    outboxMessages,
    requests: counterOf(
      "shipscore_http_requests_total",
      "Answers, by method, route pattern and status",
      ["method", "route", "status"],
    ),
    checks: counterOf(
      "shipscore_checks_total",
      "Verifications that ended, by kind (check, look, deployment, scan) and verdict",
      ["kind", "verdict"],
      Object.entries(VERDICTS_BY_KIND).flatMap(([kind, verdicts]) =>
        verdicts.map((verdict) => ({ kind, verdict })),
      ),
    ),
    quotaRefusals: counter(
      "shipscore_quota_refusals_total",
      "Checks refused because the month's quota was used up",
    ),
    ruleFailures: counterOf(
      "shipscore_rule_failures_total",
      "Rules that threw on a page, which makes them unknown for it",
      ["rule"],
    ),
    givenUpChecks: counterOf(
      "shipscore_given_up_checks_total",
      "Verifications given up because of what they did to the server, by kind and reason (hung, crashed, failed)",
      ["kind", "reason"],
      KINDS.flatMap((kind) => FAILED_CHECKS.map((reason) => ({ kind, reason }))),
    ),
    endedThreads: counterOf(
      "shipscore_ended_threads_total",
      "Check threads that hung or crashed",
      ["reason"],
      each("reason", ["hung", "crashed"]),
    ),
    querySeconds: new Histogram({
      name: "shipscore_query_seconds",
      help: "Seconds that a database query or transaction took, including waiting",
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5],
      registers,
    }),
    cycleLagSeconds: gauge(
      "shipscore_cycle_lag_seconds",
      "Seconds by which the most overdue look is late",
    ),
    looks: counterOf(
      "shipscore_looks_total",
      "Looks at watched URLs whose result is stored, by outcome",
      ["outcome"],
      each("outcome", VERDICTS_BY_KIND.look),
    ),
    looksRunning: gauge("shipscore_looks_running", "Looks that this server runs now"),
    claims: counter("shipscore_claims_total", "Watched URLs claimed for a look"),
    results: counter("shipscore_results_total", "Results of looks stored"),
    leasesLost: counter(
      "shipscore_leases_lost_total",
      "Looks whose claim was over before their result was stored, which then changes nothing",
    ),
    judgementWithheld: gauge(
      "shipscore_judgement_withheld",
      "1 while failures are held against no site, since nothing answers this server; else 0",
    ),
    setAside: gauge(
      "shipscore_set_aside",
      "1 while the location of this server is set aside and others judge; else 0",
    ),
    incidentsOpen: gauge(
      "shipscore_incidents_open",
      "Watched URLs that are failing, over all servers",
    ),
    deploymentsQueued: gauge(
      "shipscore_deployments_queued",
      "Deployments that wait for their verification or are being verified, over all servers",
    ),
  };
}
