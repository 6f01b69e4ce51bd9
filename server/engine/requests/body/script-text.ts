import { LineCounter } from "../../../base/syntax/text.ts";
import { isPrivateHost } from "../../../base/syntax/private-hosts.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import type { FoundAddress } from "../../evidence/html.ts";
import type { Slice } from "../../net/slice.ts";
import { redactUrl } from "../privacy/redact.ts";

const MAX_ADDRESSES = 5;
const MAX_DECLARED = 20;
/** The host of a match is parsed and checked again. */
const PRIVATE =
  /["'`]((?:https?|wss?):\/\/(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]{2,45}\]|[\w-]{1,60}\.(?:local|localhost|internal|intranet|lan|test))(?::\d{1,5})?(?:\/[\w./-]{0,200})?)(?=["'`?#$])/gi;
/**
 * Ports that libraries use themselves: GoTrue, Ethereum and Solana chains, OpenTelemetry, Zipkin, Ollama, Spotlight,
 * React's tools. Also 5-digit ports, on which programs on a visitor's machine listen, such as a wallet's bridge.
 */
const PORTS_OF_OTHERS = /^(?:9999|8545|8546|8899|8900|4317|4318|9411|11434|8969|8097|\d{5})$/;
const SUPABASE_PORT = "54321";
const BEFORE_LENGTH = 120;
const SCOPE_LENGTH = 3000;

const CALL =
  /(?:\bfetch|\baxios|\$?\.(?:get|getJSON|post|put|patch|delete|request|ajax)|\.open|\.sendBeacon|\bimport|\bio)\s{0,4}\(\s{0,4}(?:["'`][A-Za-z]{3,7}["'`]\s{0,4},\s{0,4})?$|\bnew\s{1,4}(?!(?:URL|RegExp|Error)\b)[\w$.]{1,40}\(\s{0,4}$|[\w$]\(\s{0,4}\{\s{0,4}ur[il]\s{0,4}:\s{0,4}$/;
const SETTING =
  /(?:base_?ur[il]|prefix_?url|api_?ur[il]|api_?base(?:_?ur[il])?|api_?(?:endpoint|host|root|origin|server)|(?:backend|server|graphql|socket|ws)_?(?:ur[il]|endpoint))["']?\s{0,4}[:=]\s{0,4}$/i;
/** An address in such a block is used only during development. */
const DEVELOPMENT_BLOCK =
  /(?:\blocal(?:host)?\b|127\.0\.0\.1|dev(?:elop(?:ment)?)?\b|\bdebug\b)[^{};]{0,30}\{[^{}]{0,100}$/i;
const DECLARATION =
  /(?:\b(?:const|let|var)\s{1,4}|[,;{}]\s{0,4})([\w$]{1,40})\s{0,4}=\s{0,4}(?:(?:void 0|undefined|\(?\{\}\)?\.\w{1,40})\s{0,4}(?:\|\||\?\?)\s{0,4})?$/;
const USE =
  /(?:(?:\bfetch|\baxios|\.(?:get|getJSON|post|put|patch|delete|request|ajax)|\bnew\s{1,4}(?:WebSocket|EventSource|Request)|\bio)\s{0,4}\(\s{0,4}|\bbaseURL\s{0,4}:\s{0,4})(?:`\$\{)?([\w$]{1,40})(?=\s{0,4}[`}+,)])/g;
const ASSIGNMENT = /(?<![\w$.])([\w$]{1,40})\s{0,4}=(?![=>])/g;

/** Texts that only the development build of a library or a tool contains. */
const BUILDS = new Map([
  ["Download the React DevTools for a better development experience", "React"],
  [" * react.development.js", "React"],
  [" * react-dom.development.js", "React"],
  [" * react-dom-client.development.js", "React"],
  ["You are running a development build of Vue", "Vue"],
  ["You are running Vue in development mode", "Vue"],
  ["Lit is in dev mode. Not recommended for production", "Lit"],
  ["cdn.tailwindcss.com should not be used in production", "Tailwind"],
  ["You are using the in-browser Babel transformer", "Babel"],
  ["sourceURL=webpack-internal:///", "webpack"],
  ["[HMR] Waiting for update signal from WDS", "webpack"],
]);
const BUILD = new RegExp(
  [...BUILDS.keys()].map((mark) => mark.replace(/[.[*]/g, "\\$&")).join("|"),
);

/** Matches code that makes a viewport meta tag. Code that only reads one does not create an element. */
const VIEWPORT =
  /createElement\(\s{0,4}["'`]meta["'`]\s{0,4}\)[^]{0,200}?["'`]viewport["'`]|["'`[=]viewport["'`\]][^]{0,100}?createElement\(\s{0,4}["'`]meta["'`]|(?:\b(?:write|writeln|append|prepend|insertAdjacentHTML|html|before|after)\([^()]{0,40}|\.innerHTML\s{0,4}\+?=\s{0,4})["'`]\s{0,9}<meta\s[^>]{0,60}\bviewport/i;

const MAX_FALLBACK_LENGTH = 3000;
const CONDITION = /\|\||&&|\?\?|\bif\s{0,4}\(/;
const WRITE = /document\.write(?:ln)?\(|createElement\(\s{0,4}["'`]script/;
const SOURCE = /\bsrc\s{0,4}=\s{0,4}\\?["'`]?([^"'`\s>\\]{1,300})/gi;

/** Whether a script loads another copy of a script over https, on a condition. */
export function loadsCopy(text: string): boolean {
  if (text.length > MAX_FALLBACK_LENGTH || !CONDITION.test(text) || !WRITE.test(text)) return false;
  return [...text.matchAll(SOURCE)].some(([, url = ""]) => !/^http:/i.test(url));
}

const FLUTTER =
  /\b_flutter\.(?:loader|buildConfig)\b|["'`](?:[\w./-]{0,100}\/)?(?:main\.dart|flutter_bootstrap)\.js["'`?]/;

export function startsFlutter(text: string): boolean {
  return FLUTTER.test(text);
}

export function writesViewport(text: string): boolean {
  return VIEWPORT.test(text);
}

export function findDevelopmentBuild(text: string): string | null {
  const [mark = ""] = BUILD.exec(text) ?? [];
  return BUILDS.get(mark) ?? null;
}

const ADDED_CODE =
  /\beval\b|\bFunction\s{0,4}\(|\bdocument\s{0,4}\.\s{0,4}write|\bimport\s{0,4}\(|\b(?:import|from)\s{0,4}["'](?:https?:)?\/\/|\bimportScripts\b|Worker\b|\bWebAssembly\b|\bcreateElement(?:NS)?\s{0,4}\(\s{0,4}(?:["'`](?:script|SCRIPT)|[\w$.]{1,40}\s{0,4}[,)])|\bset(?:Timeout|Interval)\s{0,4}\(\s{0,4}["'`]|\bon[a-z]{3,20}\s{0,4}=\s{0,4}\\?["'`]|\bjavascript:/;

export function addsCode(text: string): boolean {
  return ADDED_CODE.test(text);
}

/** Ignores an address that is only compared, an option among others, or a fallback. `page` gives the line numbers. */
export async function findPrivateUrls(
  text: string,
  slice: Slice,
  page = text,
): Promise<FoundAddress[]> {
  const found: FoundAddress[] = [];
  const lines = new LineCounter(page);
  let declaredCount = 0;
  for (const { index, 0: match, 1: address = "" } of text.matchAll(PRIVATE)) {
    if (found.length === MAX_ADDRESSES || slice.isLate) break;
    if (slice.isOver) await slice.end();
    const url = findUrl(address);
    if (!url || !isPrivateHost(url.hostname) || isPortOfOthers(url)) continue;
    const before = text.slice(Math.max(0, index - BEFORE_LENGTH), index);
    const [, name] = DECLARATION.exec(before) ?? [];
    const isDeclared = name !== undefined && declaredCount < MAX_DECLARED;
    if (isDeclared) declaredCount += 1;
    const isRequested =
      CALL.test(before) ||
      SETTING.test(before) ||
      (url.port === SUPABASE_PORT && /[\w$]\(\s{0,4}$/.test(before)) ||
      (isDeclared && isRequestedByName(name, text, index + match.length));
    if (isRequested && !DEVELOPMENT_BLOCK.test(before))
      found.push({ url: redactUrl(url), line: lines.lineAt(index) });
  }
  return found;
}

function isPortOfOthers({ port, pathname }: URL): boolean {
  if (port === "") return pathname === "/";
  return port !== SUPABASE_PORT && PORTS_OF_OTHERS.test(port);
}

/** Looks only as far as the next assignment, because short names mean other things elsewhere. */
function isRequestedByName(name: string, text: string, from: number): boolean {
  const scope = text.slice(from, from + SCOPE_LENGTH);
  const use = [...scope.matchAll(USE)].find(([, used]) => used === name);
  const assigned = [...scope.matchAll(ASSIGNMENT)].find(([, one]) => one === name);
  return use !== undefined && use.index < (assigned?.index ?? Infinity);
}
