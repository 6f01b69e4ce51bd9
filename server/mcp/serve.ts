import {
  classifyInboundRequest,
  createMcpHandler,
  isJSONRPCRequest,
  PerRequestHTTPServerTransport,
  PROTOCOL_VERSION_META_KEY,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageClassification,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import type { Deps } from "../deps.ts";
import type { Step } from "../engine/visit/visits.ts";
import { getVersion } from "../base/program.ts";
import { callTool } from "./call.ts";
import type { CallContext } from "./tool.ts";
import { TOOLS } from "./tools.ts";

/** One POST whose caller is known and whose body has been parsed. */
export interface Post {
  readonly requestId: string;
  /** Those of the protocol alone. */
  readonly headers: Record<string, string>;
  readonly body: unknown;
  readonly acceptsStream: boolean;
  readonly context: Omit<CallContext, "onStep">;
}

/** What is sent back: JSON, an event stream, or nothing. */
export interface Answer {
  readonly status: number;
  readonly body: string | ReadableStream | undefined;
}

const STEPS: readonly Step[] = ["vetting", "visiting", "judging"];
const ADDRESS = "http://localhost/mcp";
const MODERN = "2026-07-28";
/** What our transport takes; the SDK's own way adds the newest by itself. */
const VERSIONS = [...SUPPORTED_PROTOCOL_VERSIONS, MODERN];
const SERVER_INFO = { name: "shipscore", title: "shipscore", version: getVersion() };

const LISTED = TOOLS.map(({ name, title, description, annotations, input, output }) => ({
  name,
  title,
  description,
  inputSchema: toSchema(input, "input"),
  outputSchema: toSchema(output, "output"),
  annotations,
}));

/** Assistants read it, so it says nothing twice: a format needs no pattern, and a safe integer no bounds. */
function toSchema(schema: z.ZodMiniObject, io: "input" | "output") {
  const shorten = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  };
  return z.toJSONSchema(schema, { io, override: shorten }) as { type: "object" };
}

/** Answers a POST in the generation of the protocol that it is written in: 2026-07-28, or one of 2025 without a session. */
export async function servePost(deps: Deps, post: Post): Promise<Answer> {
  const { headers, body, context, requestId } = post;
  const request = isJSONRPCRequest(body) ? body : undefined;
  const { _meta } = request?.params ?? {};
  // Only progress comes before an answer, which is an event stream then.
  const isStreamed = post.acceptsStream && _meta?.progressToken !== undefined;
  const plain = request && !isStreamed ? classifyPlain(headers, request) : undefined;
  if (request && plain) return answerPlainly(buildServer(deps, post, VERSIONS), request, plain);
  const createServer = () => buildServer(deps, post, SUPPORTED_PROTOCOL_VERSIONS, isStreamed);
  let failure: Error | undefined;
  const handler = createMcpHandler(createServer, { onerror: (error) => (failure = error) });
  const init = { method: "POST", headers, signal: context.signal };
  const response = await handler.fetch(new Request(ADDRESS, init), { parsedBody: body });
  if (response.status >= 500) deps.log.error({ err: failure, requestId }, "request failed");
  return toAnswer(response, post);
}

/**
 * The generation of a request that nothing but its own handler can refuse: one of 2025, or a call of 2026-07-28 whose
 * headers say plainly what its body says. The SDK judges all others, in its own words.
 */
function classifyPlain(
  headers: Post["headers"],
  body: JSONRPCRequest,
): MessageClassification | undefined {
  const version = headers["mcp-protocol-version"];
  const { _meta } = body.params ?? {};
  if (_meta?.[PROTOCOL_VERSION_META_KEY] === undefined) {
    const isOf2025 = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version);
    return isOf2025 ? { era: "legacy" } : undefined;
  }
  const [method, name] = [headers["mcp-method"], headers["mcp-name"]];
  const isPlain =
    version === MODERN &&
    method === "tools/call" &&
    method === body.method &&
    name === body.params?.["name"] &&
    TOOLS.some((tool) => tool.name === name);
  if (!isPlain || name === undefined) return undefined;
  const found = classifyInboundRequest({
    httpMethod: "POST",
    protocolVersionHeader: version,
    mcpMethodHeader: method,
    mcpNameHeader: name,
    body,
  });
  return found.kind === "modern" ? found.classification : undefined;
}

async function toAnswer(response: Response, { acceptsStream }: Post): Promise<Answer> {
  const { status, headers, body } = response;
  if (body === null) return { status, body: undefined };
  const isStream = headers.get("content-type") === "text/event-stream";
  if (isStream && acceptsStream) return { status, body };
  const text = await response.text();
  return { status, body: isStream ? findLastEvent(text) : text };
}

/** The data of a stream's last event, the answer. `subscriptions/listen` is a stream for who takes none, too. */
function findLastEvent(stream: string): string {
  return stream.split("\ndata: ").at(-1)?.trim() ?? "";
}

/** Takes the one answer of an exchange as it is, where the SDK makes a Response with a web stream of it. */
class PlainTransport extends PerRequestHTTPServerTransport {
  readonly #take: (answer: JSONRPCMessage) => void;

  constructor(classification: MessageClassification, take: (answer: JSONRPCMessage) => void) {
    super({ classification });
    this.#take = take;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message)) this.#take(message);
  }
}

/** Answers with one JSON body. The SDK's own way takes several times as long, most of it for web streams. */
async function answerPlainly(
  server: Server,
  request: JSONRPCRequest,
  classification: MessageClassification,
): Promise<Answer> {
  const answer = await new Promise<JSONRPCMessage>((resolve, reject) => {
    const transport = new PlainTransport(classification, resolve);
    server
      .connect(transport)
      .then(() => transport.onmessage?.(request, { classification }), reject);
  });
  return { status: 200, body: JSON.stringify(answer) };
}

function buildServer(
  deps: Deps,
  { requestId, context }: Post,
  supportedProtocolVersions: string[],
  isStreamed = false,
): Server {
  const capabilities = { tools: {} };
  const server = new Server(SERVER_INFO, { capabilities, supportedProtocolVersions });
  server.setRequestHandler("tools/list", () => ({ tools: LISTED }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const onStep = isStreamed ? createProgress(mcpReq) : undefined;
    return callTool(deps, { ...context, requestId, onStep }, params);
  });
  return server;
}

/** Progress that cannot be sent any more is of no use to anybody. */
function createProgress({ _meta, notify }: ServerContext["mcpReq"]) {
  const progressToken = _meta?.progressToken ?? "";
  return (step: Step): void => {
    const progress = STEPS.indexOf(step) + 1;
    const params = { progressToken, progress, total: STEPS.length, message: step };
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
