import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { Check } from "../../shared/check.ts";
import { IncidentList } from "../../shared/incident.ts";
import { LastShipResponse } from "../../shared/last-ship.ts";
import { ProjectList } from "../../shared/project.ts";
import { TOKEN } from "./cli.ts";

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
    {
      id: "hdr.csp",
      category: "headers",
      status: "partial",
      earned: 3,
      points: 7,
      title: "The Content-Security-Policy stops little",
      evidence: "script-src 'unsafe-inline' lets any injected script run.",
      fix: "Give each script a nonce, and remove 'unsafe-inline' from script-src.",
      fixLine: null,
      docsUrl: "/docs/rules#hdr.csp",
    },
    {
      id: "asset.broken",
      category: "assets",
      status: "fail",
      earned: 0,
      points: 4.5,
      title: "A script or stylesheet does not load",
      evidence: "GET https://www.example.com/app.js answered 404.",
      fix: "Publish /app.js, or remove the script element on line 12.",
      fixLine: null,
      docsUrl: "/docs/rules#asset.broken",
    },
    {
      id: "perf.http2",
      category: "performance",
      status: "unknown",
      earned: 0,
      points: 1,
      title: "HTTP/2 is offered",
      evidence: "The handshake timed out.",
      fix: "Offer h2.",
      fixLine: null,
      docsUrl: "/docs/rules#perf.http2",
    },
    {
      id: "tls.chain",
      category: "tls",
      status: "pass",
      earned: 5,
      points: 5,
      title: "The certificate is trusted",
      evidence: "Chain of 3.",
      fix: "",
      fixLine: null,
      docsUrl: "/docs/rules#tls.chain",
    },
  ],
  timings: { dnsMs: 4, connectMs: 11, tlsMs: 18, firstByteMs: 92, downloadMs: 20 },
  checkedAt: "2026-11-20T08:30:00.000Z",
  durationMs: 812,
  quota: { used: 12, limit: 300, remaining: 288 },
});

const TIMES = {
  stateSince: "2026-11-18T08:30:00.000Z",
  lastCheckedAt: "2026-11-20T08:30:00.000Z",
};

export const PROJECTS = ProjectList.parse({
  projects: [
    {
      id: "prj_1",
      name: "Blog",
      url: "https://blog.example.com/",
      state: "down",
      ...TIMES,
      role: "owner",
      score: 12,
    },
    {
      id: "prj_2",
      name: "Shop",
      url: "https://shop.example.com/",
      state: "up",
      ...TIMES,
      role: "member",
      score: 91,
    },
    {
      id: "prj_3",
      name: "Twin",
      url: "https://one.example.com/",
      state: "unknown",
      stateSince: null,
      lastCheckedAt: null,
      role: "owner",
      score: null,
    },
    {
      id: "prj_4",
      name: "Twin",
      url: "https://two.example.com/",
      state: "up",
      ...TIMES,
      role: "owner",
      score: 80,
    },
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
  },
});

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Handler = (request: SeenRequest, response: ServerResponse, count: number) => void;

/** Answers one JSON value. */
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

/** The contract's own answers, for a token that sees four projects. */
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
  /** The settings of a command that asks it. */
  readonly env: Readonly<Record<"SHIPSCORE_URL" | "SHIPSCORE_TOKEN", string>>;
  readonly requests: readonly SeenRequest[];
}

/**
 * Starts a server on loopback that answers as the test says, to simulate what the real one cannot be made to do:
 * failures, captive portals, lost connections. `handle` gets the number of the request, from 1.
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
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    env: { SHIPSCORE_URL: url, SHIPSCORE_TOKEN: TOKEN },
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
