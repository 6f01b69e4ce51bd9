import {
  createMcpHandler,
  isJSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolRequestParams,
  type CallToolResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import type { Deps } from "../deps.ts";
import type { CheckStep } from "../engine/visit/visits.ts";
import { isLanguage, type Language } from "../../shared/language.ts";
import { getVersion } from "../base/program.ts";
import { describeError, toRequestError } from "../http/errors.ts";
import { describeFixable, describeInvalidArguments, UNKNOWN_TOOL } from "./errors.ts";
import type { CallContext, Tool } from "./tool.ts";
import { TOOLS } from "./tools.ts";

export interface Post {
  readonly requestId: string;
  /** Only the headers of the protocol. */
  readonly headers: Record<string, string>;
  readonly body: unknown;
  readonly acceptsStream: boolean;
  readonly context: Omit<CallContext, "onStep">;
}

export interface Answer {
  readonly status: number;
  readonly body: string | ReadableStream | undefined;
}

const STEPS: readonly CheckStep[] = ["vetting", "visiting", "judging"];
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

/** Shortens the schemas, because assistants read them. A format needs no pattern, and a safe integer needs no bounds. */
function toSchema(schema: z.ZodMiniObject, io: "input" | "output") {
  const shorten = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  };
  return z.toJSONSchema(schema, { io, override: shorten }) as { type: "object" };
}

/** Progress is sent before the answer, so it needs an event stream. */
function wantsProgress({ body, acceptsStream }: Post): boolean {
  if (!acceptsStream || !isJSONRPCRequest(body)) return false;
  const { _meta } = body.params ?? {};
  return _meta?.progressToken !== undefined;
}

/** The protocol version is 2026-07-28, or one of 2025 without a session. */
export async function servePost(deps: Deps, post: Post): Promise<Answer> {
  const { headers, body, context, requestId } = post;
  const isStreamed = wantsProgress(post);
  let failure: Error | undefined;
  const handler = createMcpHandler(() => buildServer(deps, post, isStreamed), {
    onerror: (error) => (failure = error),
  });
  const init = { method: "POST", headers, signal: context.signal };
  const response = await handler.fetch(new Request(ADDRESS, init), { parsedBody: body });
  if (response.status >= 500) deps.log.error({ err: failure, requestId }, "request failed");
  return toAnswer(response, isStreamed);
}

async function toAnswer(response: Response, isStreamed: boolean): Promise<Answer> {
  const { status, headers, body } = response;
  if (body === null) return { status, body: undefined };
  const isStream = headers.get("content-type") === "text/event-stream";
  if (isStream && isStreamed) return { status, body };
  const text = await response.text();
  return { status, body: isStream ? findLastEvent(text) : text };
}

/** The last event of a stream is the answer. */
function findLastEvent(stream: string): string {
  return stream.split("\ndata: ").at(-1)?.trim() ?? "";
}

function buildServer(deps: Deps, { requestId, context }: Post, isStreamed: boolean): Server {
  const server = new Server(SERVER_INFO, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: LISTED }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const onStep = isStreamed ? createProgress(mcpReq) : undefined;
    return callTool(deps, { ...context, requestId, onStep }, params);
  });
  return server;
}

/** Ignores progress that can no longer be sent. */
function createProgress({ _meta, notify }: ServerContext["mcpReq"]) {
  const progressToken = _meta?.progressToken ?? "";
  return (step: CheckStep): void => {
    const progress = STEPS.indexOf(step) + 1;
    const params = { progressToken, progress, total: STEPS.length, message: step };
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

const toolsByName = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** An error that an assistant can fix becomes a result; any other gets the API's sentence. */
async function callTool(
  deps: Deps,
  context: CallContext & { requestId: string },
  { name, arguments: given = {} }: CallToolRequestParams,
): Promise<CallToolResult> {
  const tool = toolsByName.get(name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, UNKNOWN_TOOL);
  const { language: named } = given;
  const language = typeof named === "string" && isLanguage(named) ? named : "fr";
  const input = parseInput(tool, given, language);
  let endRead: (() => void) | undefined;
  try {
    if (tool.annotations.readOnlyHint)
      endRead = await deps.accountReads.begin(context.row, context.signal);
    const { structured, text } = await tool.call(deps, context, input);
    const structuredContent = tool.output.parse(structured);
    return { content: [{ type: "text", text }], structuredContent };
  } catch (error) {
    const known = toRequestError(error, deps);
    const advice = describeFixable(known, language);
    if (advice !== undefined) return { content: [{ type: "text", text: advice }], isError: true };
    if (known.code === "internal" && !context.signal.aborted)
      deps.log.error({ err: error, requestId: context.requestId }, "request failed");
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      describeError(known, language).sentence,
    );
  } finally {
    endRead?.();
  }
}

function parseInput(tool: Tool, given: unknown, language: Language): z.output<z.ZodMiniObject> {
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join("."));
  const unfit = describeInvalidArguments(tool.name, [...new Set(fields)])[language];
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, unfit);
}
