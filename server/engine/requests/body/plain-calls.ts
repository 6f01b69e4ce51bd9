import type { Expression, Node, Program, Statement, Super } from "acorn";
import { LineCounter } from "../../../base/syntax/text.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import type { Slice } from "../../net/slice.ts";
import type { FoundAddress, PlainCall } from "../../evidence/html.ts";
import { redactUrl } from "../privacy/redact.ts";

const MAX_CALLS = 5;
const MAX_MATCHES = 200;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** A request to a literal address without encryption. */
const CALL =
  /(?:\bfetch\(\s{0,4}|\bnew\s{1,4}(?:[\w.]{1,20}\.)?(?:WebSocket|EventSource)\(\s{0,4}|\.sendBeacon\(\s{0,4}|\.open\(\s{0,4}["'`][A-Za-z]{3,7}["'`]\s{0,4},\s{0,4}|\bimport\(\s{0,4})["'`]((?:http|ws):\/\/[^\s"'`$<>]{1,500})/g;

function findPlain(address: string): URL | undefined {
  const url = findUrl(address);
  const isPlain = url?.protocol === "http:" || url?.protocol === "ws:";
  return isPlain && !LOOPBACK.test(url.hostname) ? url : undefined;
}

export function mayCallPlainly(text: string): boolean {
  return text.search(CALL) >= 0;
}

/** Calls anywhere in a text, which may never run. */
export async function findPlainCalls(text: string, slice: Slice): Promise<FoundAddress[]> {
  const found: FoundAddress[] = [];
  const lines = new LineCounter(text);
  let count = 0;
  for (const { index, 1: address = "" } of text.matchAll(CALL)) {
    if (found.length === MAX_CALLS || count++ === MAX_MATCHES || slice.isLate) break;
    if (slice.isOver) await slice.end();
    const url = findPlain(address);
    if (url) found.push({ url: redactUrl(url), line: lines.lineAt(index) });
  }
  return found;
}

/** Calls that run whenever the script runs: outside functions, conditions and loops. */
export function findCallsAtTop(program: Program, firstLine: number): PlainCall[] {
  const found: PlainCall[] = [];

  function readCall(callee: Expression | Super, args: readonly Node[]): void {
    const address = addressOf(callee, args as readonly Expression[]);
    const url = address === undefined ? undefined : findPlain(address);
    const line = firstLine + (callee.loc?.start.line ?? 1) - 1;
    if (url && found.length < MAX_CALLS) found.push({ url: redactUrl(url), line, isAtTop: true });
  }

  function read(node: Node | null | undefined): void {
    const each = node as Statement | Expression | null | undefined;
    if (!each) return;
    if (each.type === "ExpressionStatement") return read(each.expression);
    if (each.type === "VariableDeclaration")
      return each.declarations.forEach(({ init }) => read(init));
    if (each.type === "BlockStatement") return each.body.forEach(read);
    if (each.type === "TryStatement") return read(each.block);
    if (each.type === "AwaitExpression" || each.type === "UnaryExpression")
      return read(each.argument);
    if (each.type === "AssignmentExpression") return read(each.right);
    if (each.type === "SequenceExpression") return each.expressions.forEach(read);
    if (each.type === "MemberExpression") return read(each.object);
    if (each.type === "ImportExpression") return readCall(each, [each.source]);
    if (each.type !== "CallExpression" && each.type !== "NewExpression") return;
    readCall(each.callee, each.arguments);
    read(each.callee);
    each.arguments.forEach(read);
  }

  program.body.forEach(read);
  return found;
}

const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i;

function addressOf(callee: Expression | Super, args: readonly Expression[]): string | undefined {
  const [first, second] = args.map(literalOf);
  if (callee.type === "ImportExpression") return first;
  const name = nameOf(callee);
  if (["fetch", "WebSocket", "EventSource", "sendBeacon"].includes(name)) return first;
  return name === "open" && METHOD.test(first ?? "") ? second : undefined;
}

function nameOf(callee: Expression | Super): string {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return "";
  return callee.property.name;
}

/** The start of an address that ends with a variable is enough, if it has the whole host. */
function literalOf(node: Expression): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type === "BinaryExpression" && node.left.type !== "PrivateIdentifier") {
    const start = literalOf(node.left);
    return start !== undefined && /^[a-z]+:\/\/[^/]+\//i.test(start) ? start : undefined;
  }
  const [quasi] = node.type === "TemplateLiteral" ? node.quasis : [];
  const start = quasi?.value.cooked ?? undefined;
  const isWhole = node.type === "TemplateLiteral" && node.quasis.length === 1;
  return isWhole || /^[a-z]+:\/\/[^/]+\//i.test(start ?? "") ? start : undefined;
}
