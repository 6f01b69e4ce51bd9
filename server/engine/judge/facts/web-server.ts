import type { Language, Text } from "../../../../shared/language.ts";
import type { Hop } from "../../evidence/exchange.ts";
import { headerValues } from "../../evidence/accessors.ts";
import { type Fix, withLine } from "../rule.ts";

type WebServer = "nginx" | "Apache" | "Caddy" | "IIS";

const PATTERNS: readonly (readonly [WebServer, RegExp])[] = [
  ["nginx", /^(?:nginx|openresty)(?:\/(?<version>\d+\.\d+\.\d+)|$| )/i],
  ["Apache", /^apache(?:\/(?<version>\d+\.\d+\.\d+)|$| )/i],
  ["Caddy", /^caddy$/i],
  ["IIS", /^microsoft-iis(?:\/|$)/i],
];

type Answer = Pick<Hop, "headers"> | undefined;
/** What each web server, or an old version of one, is told in its configuration. */
type Directives = Readonly<Record<string, string>>;

/** The web server that an answer's Server header names, with its version if that is given. */
export function findWebServer(
  answer: Answer,
): { readonly name: WebServer; readonly version: string | undefined } | undefined {
  const [value = ""] = headerValues(answer?.headers ?? [], "server");
  for (const [name, pattern] of PATTERNS) {
    const found = pattern.exec(value);
    if (found) return { name, version: found.groups?.["version"] };
  }
  return undefined;
}

/** Of text of any type; nginx has a list of its own. */
export const COMPRESSORS: Directives = {
  Apache:
    "AddOutputFilterByType DEFLATE text/html text/css text/javascript application/javascript application/json image/svg+xml",
  Caddy: "encode zstd gzip",
  IIS: '<urlCompression doStaticCompression="true" doDynamicCompression="true" />',
};

export const TLS_DIRECTIVES: Directives = {
  nginx: "ssl_protocols TLSv1.2 TLSv1.3;",
  Apache: "SSLProtocol -all +TLSv1.2 +TLSv1.3",
};

const COLONS = { fr: " : ", en: ": " };

/** The words, and behind them what to tell the web server that answered, which is the line; each of them if it is unknown. */
export function withDirectives(words: Text, directives: Directives, answer?: Answer): Fix {
  const name = findWebServer(answer)?.name;
  const own = name && directives[name];
  const told = name === undefined ? Object.entries(directives) : own ? [[name, own]] : [];
  const add = (language: Language): string => {
    const list = told.map(([server, line]) => `${server}${COLONS[language]}${line}`).join(" — ");
    return `${words[language]}${list && ` (${list})`}.`;
  };
  const fix = { fr: add("fr"), en: add("en") };
  return own === undefined ? fix : withLine(fix, own);
}

/** nginx inherits no header where another is added (ngx_http_headers_module). */
const SENDERS: Readonly<Record<WebServer, (name: string, value: string) => Text>> = {
  nginx: (name, value) => {
    const line = `add_header ${name} "${value}" always;`;
    return {
      fr: `nginx, aussi dans chaque location qui a ses propres add_header : ${line}`,
      en: `nginx, also in each location that has an add_header of its own: ${line}`,
    };
  },
  Apache: (name, value) => ({
    fr: `Apache : Header always set ${name} "${value}"`,
    en: `Apache: Header always set ${name} "${value}"`,
  }),
  Caddy: (name, value) => ({
    fr: `Caddy : header ${name} "${value}"`,
    en: `Caddy: header ${name} "${value}"`,
  }),
  IIS: (name, value) => ({
    fr: `IIS, web.config, <customHeaders> : <add name="${name}" value="${value}" />`,
    en: `IIS, web.config, <customHeaders>: <add name="${name}" value="${value}" />`,
  }),
};

/** How the web server that answered is told to send a header; undefined where its value would have to be escaped. */
export function describeSender(answer: Answer, name: string, value: string): Text | undefined {
  const server = findWebServer(answer);
  return server && /^[^"\\$<>&%{}]*$/.test(value) ? SENDERS[server.name](name, value) : undefined;
}
