import { beforeAll, describe, expect, test } from "vitest";
import {
  callOf,
  LEGACY,
  MODERN,
  MODERN_META,
  modernHeadersOf,
  postMcp,
  type PostOptions,
} from "../harness/mcp.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { sendRaw } from "../harness/raw-http.ts";
import { startTestServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const site = use(() =>
  startSite({
    routes: { "/": { headers: { "content-type": "text/html" }, body: "<!doctype html><p>Hi." } },
  }),
);
const server = use(() => startTestServer({ roots: [site.authority.certificate] }));
let token: string;

beforeAll(async () => {
  const ann = await addPerson(server, "ann");
  await addProject(server, ann, "https://127.0.0.1:8443/", "Shop");
  token = ann.token;
});

interface Answer {
  id: unknown;
  result?: Record<string, unknown> & { structuredContent?: unknown; content?: unknown };
  error?: { code: number; message: string };
}

async function post(body: unknown, options: PostOptions = {}) {
  const response = await postMcp(server.url, body, { token, ...options });
  const text = await response.text();
  const type = response.headers.get("content-type");
  return {
    status: response.status,
    type,
    code: response.headers.get("x-shipscore-error"),
    requestId: response.headers.get("x-request-id"),
    text,
    answer: (type?.includes("json") ? JSON.parse(text) : undefined) as Answer | undefined,
  };
}

const NESTED = 30_000;
const nested = `${"[".repeat(NESTED)}${"]".repeat(NESTED)}`;
const ONE_MESSAGE =
  "Le corps de la requête doit être un seul message JSON-RPC, et non un tableau. Envoyez une requête par appel.";

describe("a body that is not a message", () => {
  test.each<[string, string, number, string]>([
    ["empty", "", -32700, "Le corps de la requête est vide ; envoyez un message JSON-RPC."],
    ["half", '{"jsonrpc":', -32700, "Le corps de la requête n'est pas du JSON valide."],
    ["text", "hello", -32700, "Le corps de la requête n'est pas du JSON valide."],
    ["an array", JSON.stringify([callOf("list_projects")]), -32600, ONE_MESSAGE],
    ["an empty array", "[]", -32600, ONE_MESSAGE],
    ["a deep array", nested, -32600, ONE_MESSAGE],
    [
      "over 64 KB",
      JSON.stringify(callOf("x".repeat(65_536))),
      -32600,
      "Le corps de la requête dépasse 65 536 octets.",
    ],
  ])("%s: 400, in the form of JSON-RPC", async (_, body, code, message) => {
    const { status, type, answer, requestId, code: own } = await post(body);
    expect([status, type]).toEqual([400, "application/json; charset=utf-8"]);
    expect(answer).toEqual({ jsonrpc: "2.0", error: { code, message }, id: null });
    expect(own).toMatch(/^body_/);
    expect(requestId).toMatch(/^req_/);
  });

  test("of another media type: 400", async () => {
    const { status, answer } = await post("x", { headers: { "content-type": "text/plain" } });
    expect([status, answer?.error?.code]).toEqual([400, -32600]);
  });

  test("missing: 400", async () => {
    const { status, body } = await sendRaw(
      server.url,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    expect([status, JSON.parse(body)]).toMatchObject([400, { error: { code: -32700 }, id: null }]);
  });

  test.each(["null", "5", '"x"', "true", "{}", '{"jsonrpc":"1.0","id":1,"method":"ping"}'])(
    "%s: 400",
    async (body) => {
      const { status, answer } = await post(body);
      expect([status, answer?.error?.code]).toEqual([400, -32600]);
    },
  );
});

describe("an answer is one JSON body", () => {
  test.each<[string, Record<string, string>]>([
    ["without Accept", { accept: "" }],
    ["for JSON alone", { accept: "application/json" }],
    ["where an event stream is refused", { accept: "application/json, text/event-stream;q=0" }],
    ["for both, as long as no progress is asked for", {}],
  ])("%s", async (_, headers) => {
    const { status, type, answer } = await post(callOf("list_projects", {}, 7), { headers });
    expect([status, type, answer?.id]).toEqual([200, "application/json; charset=utf-8", 7]);
    expect(answer?.result?.structuredContent).toMatchObject({ projects: [{ name: "Shop" }] });
  });

  test("without an Accept header, as some programs send it", async () => {
    const body = JSON.stringify(callOf("list_projects"));
    const { status, headers } = await sendRaw(
      server.url,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(status).toBe(200);
    expect(headers).toContain("content-type: application/json; charset=utf-8");
  });

  test("after the client waited for 100 Continue", async () => {
    const body = JSON.stringify(callOf("list_projects"));
    const answer = await sendRaw(
      server.url,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect([answer.status, answer.body]).toEqual([100, expect.stringContaining("HTTP/1.1 200 OK")]);
  });
});

describe("progress", () => {
  const asked = () => ({
    ...callOf("run_check", { url: site.url }),
    params: { name: "run_check", arguments: { url: site.url }, _meta: { progressToken: 0 } },
  });

  test.each(["application/json, text/event-stream", "*/*", "Text/Event-Stream;q=0.5"])(
    "comes as an event stream to clients that accept %s",
    async (accept) => {
      const { status, type, text } = await post(asked(), { headers: { accept } });
      expect([status, type]).toEqual([200, "text/event-stream"]);
      const messages = text.split("\n").filter((line) => line.startsWith("data: "));
      const sent = messages.map((line) => JSON.parse(line.slice(6)) as { params?: object });
      expect(sent.map(({ params }) => params)).toEqual([
        { progressToken: 0, progress: 1, total: 3, message: "vetting" },
        { progressToken: 0, progress: 2, total: 3, message: "visiting" },
        { progressToken: 0, progress: 3, total: 3, message: "judging" },
        undefined,
      ]);
      expect(sent.at(-1)).toMatchObject({
        id: 1,
        result: { structuredContent: { url: site.url } },
      });
    },
  );

  test.each(["", "application/json"])(
    "does not come to clients that accept “%s”",
    async (accept) => {
      const { type, answer } = await post(asked(), { headers: { accept } });
      expect(type).toBe("application/json; charset=utf-8");
      expect(answer?.result?.structuredContent).toMatchObject({ url: site.url });
    },
  );
});

describe("methods", () => {
  test("initialize agrees on a version, and starts no session", async () => {
    const hello = (protocolVersion: string) => ({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion, capabilities: {}, clientInfo: { name: "x", version: "1" } },
    });
    for (const version of LEGACY) {
      const response = await postMcp(server.url, hello(version), { token });
      expect(response.headers.get("mcp-session-id")).toBeNull();
      expect(await response.json()).toMatchObject({
        result: {
          protocolVersion: version,
          serverInfo: { name: "shipscore" },
          capabilities: { tools: {} },
        },
      });
    }
    const { answer } = await post(hello("1999-01-01"));
    expect(answer?.result?.["protocolVersion"]).toBe(LEGACY.at(-1));
  });

  test("ping", async () => {
    const { answer } = await post({ jsonrpc: "2.0", id: "p", method: "ping" });
    expect(answer).toEqual({ jsonrpc: "2.0", id: "p", result: {} });
  });

  test.each(["resources/list", "prompts/list", "logging/setLevel", "nothing", "__proto__"])(
    "%s is unknown",
    async (method) => {
      const { status, answer } = await post({ jsonrpc: "2.0", id: 1, method });
      expect([status, answer?.error?.code, answer?.id]).toEqual([200, -32601, 1]);
    },
  );

  test.each<[string, object]>([
    ["notifications/initialized", {}],
    ["notifications/cancelled", { requestId: 1, reason: "x" }],
    ["notifications/nothing", {}],
  ])("%s is 202", async (method, params) => {
    const { status, text } = await post({ jsonrpc: "2.0", method, params });
    expect([status, text]).toEqual([202, ""]);
  });

  test("an answer without a request is 202", async () => {
    expect((await post({ jsonrpc: "2.0", id: 1, result: {} })).status).toBe(202);
  });
});

test.each<[string, object | string, RegExp]>([
  ["an unknown tool", callOf("rm_rf"), /^Cet outil n'existe pas/],
  ["a tool of every object", callOf("constructor"), /^Cet outil n'existe pas/],
  ["no url", callOf("run_check"), /« url »/],
  ["a url that is no text", callOf("run_check", { url: 5 }), /« url »/],
  ["an unknown language", callOf("run_check", { url: "x", language: "de" }), /« language »/],
  ["a project that is none", callOf("last_ship", { project: {} }), /« project »/],
  ["arguments that are an array", callOf("run_check", []), /./],
  ["no name", { ...callOf(""), params: {} }, /./],
  [
    "30,000 objects in each other",
    JSON.stringify(callOf("run_check", { url: 0 })).replace(":0", `:${nested}`),
    /« url »/,
  ],
  [
    "a prototype",
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_check","arguments":{"__proto__":{"url":"x"}}}}',
    /« url »/,
  ],
])(
  "an invalid call is -32602, with the reason and without repeating it %s",
  async (_, message, words) => {
    const { status, answer } = await post(message);
    expect([status, answer?.error?.code, answer?.id]).toEqual([200, -32602, 1]);
    expect(answer?.error?.message).toMatch(words);
    expect(answer?.error?.message).not.toMatch(/rm_rf|\bde\b"|    at /);
  },
);

test("unknown arguments are ignored", async () => {
  const { answer } = await post(callOf("list_projects", { anything: [[[]]] }));
  expect(answer?.result?.structuredContent).toMatchObject({ projects: [{ name: "Shop" }] });
});

describe(`a message of ${MODERN}`, () => {
  const modern = (method: string, params: object = {}) => ({
    jsonrpc: "2.0",
    id: 1,
    method,
    params: { ...params, _meta: MODERN_META },
  });
  test("is answered in its version", async () => {
    const { type, answer } = await post(modern("tools/call", { name: "list_projects" }), {
      headers: modernHeadersOf("tools/call", "list_projects"),
    });
    expect(type).toBe("application/json; charset=utf-8");
    expect(answer?.result).toMatchObject({
      resultType: "complete",
      structuredContent: { projects: [{ name: "Shop" }] },
    });
  });

  test("whose header differs is rejected", async () => {
    const { status, answer } = await post(modern("tools/list"), {
      headers: modernHeadersOf("tools/call"),
    });
    expect([status, answer?.error?.code, answer?.id]).toEqual([400, -32020, 1]);
  });

  test("that calls another tool than its header names is rejected", async () => {
    const { status, answer } = await post(modern("tools/call", { name: "list_projects" }), {
      headers: modernHeadersOf("tools/call", "run_check"),
    });
    expect([status, answer?.error?.code, answer?.id]).toEqual([400, -32020, 1]);
  });

  test("with an unknown method is 404", async () => {
    const { status, answer } = await post(modern("ping"), { headers: modernHeadersOf("ping") });
    expect([status, answer?.error?.code]).toEqual([404, -32601]);
  });

  describe("that subscribes to changes", () => {
    const method = "subscriptions/listen";
    const listen = modern(method, { notifications: { toolsListChanged: true } });
    const headers = modernHeadersOf(method);

    test("gets an empty stream, because nothing changes", async () => {
      const { status, text } = await post(listen, { headers });
      expect([status, text]).toEqual([200, expect.stringContaining('"resultType":"complete"')]);
    });

    test("gets one JSON body if it accepts no event stream", async () => {
      const accept = "application/json";
      const { status, type, answer } = await post(listen, { headers: { ...headers, accept } });
      expect([status, type]).toEqual([200, "application/json; charset=utf-8"]);
      expect(answer).toMatchObject({ id: 1, result: { resultType: "complete" } });
    });
  });
});

test("an internal error is reported in the server's words, and logged", async () => {
  await server.sql`alter table watched_urls rename to watched_urls_away`;
  try {
    const { status, answer, requestId } = await post(callOf("list_projects"));
    expect([status, answer?.error]).toEqual([
      200,
      {
        code: -32603,
        message:
          "Une erreur interne est survenue. Réessayez ; si elle persiste, transmettez l'identifiant X-Request-Id à l'administrateur du serveur.",
      },
    ]);
    const lines = server.log.join("").split("\n");
    const line = lines.find((one) => one.includes("request failed"));
    expect(JSON.parse(line ?? "")).toMatchObject({ requestId, err: { code: "42P01" } });
  } finally {
    await server.sql`alter table watched_urls_away rename to watched_urls`;
  }
});
