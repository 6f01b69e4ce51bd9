import type { CallToolRequestParams, CallToolResult } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type * as z from "zod/mini";
import type { Deps } from "../deps.ts";
import { isLanguage, type Language } from "../base/language.ts";
import { describeError, toRequestError } from "../http/errors.ts";
import { adviseOn, describeUnfit, UNKNOWN_TOOL } from "./errors.ts";
import type { CallContext, Tool } from "./tool.ts";
import { TOOLS } from "./tools.ts";

const toolsByName = new Map(TOOLS.map((tool) => [tool.name, tool]));

/**
 * Answers `tools/call`. An error that an assistant can fix is a result; of any other it gets the API's sentence. Errors are in
 * the call's own `language`, else in French.
 */
export async function callTool(
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
    const advice = adviseOn(known, language);
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
  const unfit = describeUnfit(tool.name, [...new Set(fields)])[language];
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, unfit);
}
