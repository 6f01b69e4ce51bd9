import { WORDS } from "../../../../shared/report/words.ts";
import type { Language, Text } from "../../../../shared/language.ts";
import type { Hop } from "../../evidence/exchange.ts";
import { headerValues } from "../../evidence/accessors.ts";
import { addLine, type Fix, followFix } from "../rule.ts";

type WebServer = "nginx" | "Apache" | "Caddy" | "IIS";

const PATTERNS: readonly (readonly [WebServer, RegExp])[] = [
  ["nginx", /^(?:nginx|openresty)(?:\/(?<version>\d+\.\d+\.\d+)|$| )/i],
  ["Apache", /^apache(?:\/(?<version>\d+\.\d+\.\d+)|$| )/i],
  ["Caddy", /^caddy$/i],
  ["IIS", /^microsoft-iis(?:\/|$)/i],
];

type Answer = Pick<Hop, "headers"> | undefined;
type Directives = Readonly<Record<string, string>>;

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

/** The nginx directives are listed separately. */
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

export function withDirectives(words: Text, directives: Directives, answer?: Answer): Fix {
  const name = findWebServer(answer)?.name;
  const own = name && directives[name];
  if (own !== undefined) {
    const sentence = { fr: `${words.fr}.`, en: `${words.en}.` };
    const use = { fr: `Dans ${name}, utilisez cette ligne.`, en: `In ${name}, use this line.` };
    return addLine(followFix(sentence, use), own, sentence);
  }
  const list = (language: Language): string => {
    const entries = name === undefined ? Object.entries(directives) : [];
    const lines = entries.map(([server, line]) => `${server}${WORDS.colon[language]}${line}`);
    return lines.length > 0 ? ` (${lines.join(" — ")})` : "";
  };
  return { fr: `${words.fr}${list("fr")}.`, en: `${words.en}${list("en")}.` };
}

interface Sender {
  readonly words: Text;
  readonly write: (name: string, value: string) => string;
}

const SENDERS: Readonly<Record<WebServer, Sender>> = {
  nginx: {
    // An nginx location that adds a header inherits none (ngx_http_headers_module).
    words: {
      fr: "Dans nginx, utilisez la directive add_header, y compris dans chaque location qui contient d'autres add_header.",
      en: "In nginx, use the add_header directive, including in each location that contains other add_header directives.",
    },
    write: (name, value) => `add_header ${name} "${value}" always;`,
  },
  Apache: {
    words: {
      fr: "Dans Apache, utilisez la directive Header.",
      en: "In Apache, use the Header directive.",
    },
    write: (name, value) => `Header always set ${name} "${value}"`,
  },
  Caddy: {
    words: {
      fr: "Dans Caddy, utilisez la directive header.",
      en: "In Caddy, use the header directive.",
    },
    write: (name, value) => `header ${name} "${value}"`,
  },
  IIS: {
    words: {
      fr: "Dans IIS, ajoutez l'élément <add> à <customHeaders>, dans web.config.",
      en: "In IIS, add the <add> element to <customHeaders> in web.config.",
    },
    write: (name, value) => `<add name="${name}" value="${value}" />`,
  },
};

/** Returns undefined if the configuration would have to escape the value, or if its line would be too long. */
export function describeSender(answer: Answer, name: string, value: string): Fix | undefined {
  const server = findWebServer(answer);
  if (!server || !/^[^"\\$<>&%{}]*$/.test(value)) return undefined;
  const { words, write } = SENDERS[server.name];
  const fix = addLine(words, write(name, value));
  return fix.lines && fix;
}
