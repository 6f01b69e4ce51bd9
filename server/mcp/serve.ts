import {
  createMcpHandler,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Deps } from "../deps.ts";
import type { Step } from "../verify/orders.ts";
import { getVersion } from "../version.ts";
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

/** A message that asks for progress. */
const Asked = z.object({
  params: z.object({ _meta: z.object({ progressToken: z.union([z.string(), z.number()]) }) }),
});
const STEPS: readonly Step[] = ["vetting", "visiting", "judging"];
const ADDRESS = "http://localhost/mcp";
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
function toSchema(schema: z.ZodObject, io: "input" | "output") {
  const shorten = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  };
  return z.toJSONSchema(schema, { io, override: shorten }) as { type: "object" };
}

/** Answers a POST in the generation of the protocol that it is written in: 2026-07-28, or one of 2025 without a session. */
export async function servePost(deps: Deps, post: Post): Promise<Response> {
  const { headers, body, context } = post;
  const request = new Request(ADDRESS, { method: "POST", headers, signal: context.signal });
  if (await isLegacyRequest(request, body)) return serveLegacy(deps, post, request);
  let failure: Error | undefined;
  const handler = createMcpHandler(() => createServer(deps, post), {
    legacy: "reject",
    onerror: (error) => (failure = error),
  });
  const response = await handler.fetch(request, { parsedBody: body });
  if (response.status >= 500)
    deps.log.error({ err: failure, requestId: post.requestId }, "request failed");
  return response;
}

async function serveLegacy(deps: Deps, post: Post, request: Request): Promise<Response> {
  const server = createServer(deps, post);
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !isStreamed(post),
  });
  await server.connect(transport);
  request.signal.addEventListener("abort", () => void server.close(), { once: true });
  const response = await transport.handleRequest(request, { parsedBody: post.body });
  if (!isStreamed(post)) await server.close();
  return response;
}

function createServer(deps: Deps, post: Post): Server {
  const server = new Server(SERVER_INFO, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: LISTED }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const onStep = isStreamed(post) ? createProgress(mcpReq) : undefined;
    const { requestId } = post;
    return callTool(deps, { ...post.context, requestId, onStep }, params);
  });
  return server;
}

/** Only progress comes before an answer, which is an event stream then. */
function isStreamed({ acceptsStream, body }: Post): boolean {
  return acceptsStream && Asked.safeParse(body).success;
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
