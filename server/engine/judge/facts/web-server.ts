import type { Text } from "../../../base/language.ts";
import type { Hop } from "../../evidence/exchange.ts";
import { headerValues } from "../../evidence/page.ts";
import { type Fix, withLine } from "../rule.ts";

type WebServer = "nginx" | "apache" | "caddy" | "iis";

const NAMES: readonly (readonly [WebServer, RegExp])[] = [
  ["nginx", /^(?:nginx|openresty)(?:\/(?<version>\d+\.\d+\.\d+)|$| )/i],
  ["apache", /^apache(?:\/(?<version>\d+\.\d+\.\d+)|$| )/i],
  ["caddy", /^caddy$/i],
  ["iis", /^microsoft-iis(?:\/|$)/i],
];

type Answer = Pick<Hop, "headers"> | undefined;

/** The web server that an answer's Server header names, with its version if that is given. */
export function findWebServer(
  answer: Answer,
): { readonly name: WebServer; readonly version: string | undefined } | undefined {
  const [value = ""] = headerValues(answer?.headers ?? [], "server");
  for (const [name, pattern] of NAMES) {
    const found = pattern.exec(value);
    if (found) return { name, version: found.groups?.["version"] };
  }
  return undefined;
}

/** The fix with the directive for the web server that the answer names; it must stand in the fix. */
export function withDirective(
  fix: Text,
  answer: Answer,
  directives: Readonly<Partial<Record<WebServer, string>>>,
): Fix {
  const server = findWebServer(answer);
  const line = server && directives[server.name];
  return line === undefined ? fix : withLine(fix, line);
}

/** How each web server is told to send a header. */
const SENDERS: Readonly<Record<WebServer, (name: string, value: string) => string>> = {
  nginx: (name, value) => `nginx: add_header ${name} "${value}" always;`,
  apache: (name, value) => `Apache: Header always set ${name} "${value}"`,
  caddy: (name, value) => `Caddy: header ${name} "${value}"`,
  iis: (name, value) => `IIS, web.config, <customHeaders>: <add name="${name}" value="${value}" />`,
};

/** How the web server that answered is told to send a header; undefined where its value would have to be escaped. */
export function describeSender(answer: Answer, name: string, value: string): string | undefined {
  const server = findWebServer(answer);
  return server && /^[^"\\$<>&]*$/.test(value) ? SENDERS[server.name](name, value) : undefined;
}
