import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { Check } from "../../shared/check.ts";
import { IncidentList } from "../../shared/incident.ts";
import { LastShipResponse } from "../../shared/last-ship.ts";
import { ProjectList } from "../../shared/project.ts";
import { TOKEN } from "./cli.ts";
import { listen } from "./site.ts";

type Status = "pass" | "partial" | "fail" | "unknown";
const finding = (
  id: string,
  [category, status, earned, points]: [string, Status, number, number],
  words: [title: string, evidence: string, fix: string],
) => {
  const [title, evidence, fix] = words;
  const docsUrl = `/docs/rules#${id}`;
  return { id, category, status, earned, points, title, evidence, fix, fixLine: null, docsUrl };
};

export const CHECK = Check.parse({
  id: "chk_1",
  url: "https://example.com/",
  finalUrl: "https://www.example.com/",
  preview: false,
  score: 59,
  scoreRange: { min: 59, max: 59 },
  coverage: 96,
  verdict: "do_not_ship",
  ruleset: "2026.1",
  caps: [{ findingId: "asset.broken", limit: 59, reason: "A script of the page does not load." }],
  categories: [
    { id: "tls", earned: 16, points: 16 },
    { id: "headers", earned: 14, points: 18 },
    { id: "assets", earned: 3.5, points: 8 },
  ],
  findings: [
    finding(
      "hdr.csp",
      ["headers", "partial", 3, 7],
      [
        "The Content-Security-Policy stops little",
        "script-src 'unsafe-inline' lets any injected script run.",
        "Give each script a nonce, and remove 'unsafe-inline' from script-src.",
      ],
    ),
    finding(
      "asset.broken",
      ["assets", "fail", 0, 4.5],
      [
        "A script or stylesheet does not load",
        "GET https://www.example.com/app.js answered 404.",
        "Publish /app.js, or remove the script element on line 12.",
      ],
    ),
    finding(
      "perf.http2",
      ["performance", "unknown", 0, 1],
      ["HTTP/2 is offered", "The handshake timed out.", "Offer h2."],
    ),
    finding("tls.chain", ["tls", "pass", 5, 5], ["The certificate is trusted", "Chain of 3.", ""]),
  ],
  timings: { dnsMs: 4, connectMs: 11, tlsMs: 18, firstByteMs: 92, downloadMs: 20 },
  checkedAt: "2026-11-20T08:30:00.000Z",
  durationMs: 812,
  quota: { used: 12, limit: 300, remaining: 288 },
});

const SEEN = { stateSince: "2026-11-18T08:30:00.000Z", lastCheckedAt: "2026-11-20T08:30:00.000Z" };
const UNSEEN = { stateSince: null, lastCheckedAt: null };
const project = (number: number, name: string, host: string, rest: object) => ({
  id: `prj_${number}`,
  name,
  url: `https://${host}.example.com/`,
  role: "owner",
  ...rest,
});

export const PROJECTS = ProjectList.parse({
  projects: [
    project(1, "Blog", "blog", { state: "down", ...SEEN, score: 12 }),
    project(2, "Shop", "shop", { state: "up", ...SEEN, role: "member", score: 91 }),
    project(3, "Twin", "one", { state: "unknown", ...UNSEEN, score: null }),
    project(4, "Twin", "two", { state: "up", ...SEEN, score: 80 }),
  ],
});

export const INCIDENTS = IncidentList.parse({
  incidents: [
    {
      id: "inc_1",
      url: "https://blog.example.com/",
      since: "2026-11-20T06:30:00.000Z",
      reason: "The server answered 500.",
      lastCheckedAt: "2026-11-20T08:30:00.000Z",
    },
  ],
});

export const LAST_SHIP = LastShipResponse.parse({
  lastShip: {
    id: "dep_1",
    url: "https://shop.example.com/",
    environment: "production",
    commit: "0a1b2c3",
    ref: "main",
    deployedAt: "2026-11-20T08:30:00.000Z",
    score: 88,
    verdict: "ship",
    ruleset: "2026.1",
    checkId: "chk_1",
    previousFiles: { tried: 6, answered: 5 },
  },
});

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Handler = (request: SeenRequest, response: ServerResponse, count: number) => void;

export function json(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Handler {
  return (_, response) => {
    const types = { "content-type": "application/json", "x-request-id": "req-1" };
    response.writeHead(status, { ...types, ...headers }).end(JSON.stringify(value));
  };
}

/** The contract's own answers, for a token with four visible projects. */
export const contract: Handler = (request, response, count) => {
  const routes: Record<string, unknown> = {
    "POST /api/v1/check": CHECK,
    "GET /api/v1/projects": PROJECTS,
    "GET /api/v1/projects/prj_1/incidents": INCIDENTS,
    "GET /api/v1/projects/prj_2/incidents": { incidents: [] },
    "GET /api/v1/projects/prj_3/incidents": { incidents: [] },
    "GET /api/v1/projects/prj_1/last-ship": { lastShip: null },
    "GET /api/v1/projects/prj_2/last-ship": LAST_SHIP,
  };
  const value = routes[`${request.method} ${request.path}`];
  const answer = value
    ? json(value)
    : json({ error: "Projet introuvable." }, 404, { "x-shipscore-error": "project_not_found" });
  answer(request, response, count);
};

export interface ContractDouble extends AsyncDisposable {
  readonly url: string;
  /** The settings of a command that uses this server. */
  readonly env: Readonly<Record<"SHIPSCORE_URL" | "SHIPSCORE_TOKEN", string>>;
  readonly requests: readonly SeenRequest[];
}

/**
 * Starts a server on loopback with the test's answers, for events that the real server cannot produce: failures, captive portals, lost
 * connections. `handle` gets the number of the request, from 1.
 */
export async function startContractDouble(handle: Handler = contract): Promise<ContractDouble> {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    void buffer(incoming).then((body) => {
      const { method = "", url: path = "", headers } = incoming;
      const request = { method, path, headers, body: body.toString() };
      requests.push(request);
      handle(request, response, requests.length);
      return undefined;
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return {
    url,
    env: { SHIPSCORE_URL: url, SHIPSCORE_TOKEN: TOKEN },
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
