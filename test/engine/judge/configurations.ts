import type { WebServer } from "../../harness/web-servers.ts";

/** What a fix gives to be put into a server's configuration. */
export interface Configuration {
  readonly server: WebServer;
  readonly text: string;
  /** The first version that no longer takes it. */
  readonly before: string | undefined;
}

const NAMES =
  /\b(nginx|Apache|Caddy|IIS|Tomcat|Express|PHP|ASP\.NET)\b(?: < ([\d.]+\d))?(?:, [^:;()]*)? ?: /g;
const SERVERS: Readonly<Record<string, WebServer>> = {
  nginx: "nginx",
  Apache: "apache",
  Caddy: "caddy",
};

/** What stands between a server's name and the next, or the end of the parenthesis; in nginx, to its last sign. */
function trimSnippet(server: WebServer, text: string): string {
  const inside = text.split(")", 1)[0] ?? "";
  if (server === "nginx") return inside.slice(0, inside.search(/[;}][^;}]*$/) + 1).trim();
  return inside.replace(/[\s;—]+$/, "");
}

/** The server for which the last line to paste is. */
const OWN_LINE = /(?:In|Dans) (nginx|Apache|Caddy), /;

/** The configurations in a fix and its lines to paste, in whichever language. */
export function listConfigurations(whole: string): Configuration[] {
  const [fix = "", ...lines] = whole.split("\n");
  const server = SERVERS[OWN_LINE.exec(fix)?.[1] ?? ""];
  const own = server ? lines.slice(-1).map((text) => ({ server, text, before: undefined })) : [];
  return [...own, ...listExamples(fix)];
}

function listExamples(fix: string): Configuration[] {
  const names = [...fix.matchAll(NAMES)];
  return names.flatMap((found, index) => {
    const server = SERVERS[found[1] ?? ""];
    if (server === undefined) return [];
    const start = found.index + found[0].length;
    const text = trimSnippet(server, fix.slice(start, names[index + 1]?.index));
    return [{ server, text, before: found[2] }];
  });
}

/** Where nginx takes each directive that fixes use: in `http`, in `server`. */
const NGINX: Readonly<Record<string, readonly string[]>> = {
  autoindex: ["http", "server"],
  add_header: ["http", "server"],
  server: ["http"],
  listen: ["server"],
  server_name: ["server"],
  location: ["server"],
  return: ["server", "location"],
  error_page: ["http", "server"],
  gzip: ["http", "server"],
  gzip_types: ["http", "server"],
  http2: ["http", "server"],
  server_tokens: ["http", "server"],
  ssl_certificate: ["http", "server"],
  ssl_certificate_key: ["http", "server"],
  ssl_ciphers: ["http", "server"],
  ssl_ecdh_curve: ["http", "server"],
  ssl_stapling: ["http", "server"],
  ssl_protocols: ["http", "server"],
  ssl_verify_client: ["http", "server"],
};
const APACHE = [
  "AddOutputFilterByType",
  "Header",
  "Options",
  "Protocols",
  "Redirect",
  "ServerTokens",
  "SSLCipherSuite",
  "SSLOpenSSLConfCmd",
  "SSLProtocol",
];
const CADDY = ["encode", "header", "redir"];

function findNginxFault(text: string): string {
  const isBlock = text.startsWith("server {");
  const contexts = [isBlock ? "http" : "server"];
  let words: string[] = [];
  for (const [token] of text.matchAll(/"[^"]*"|[^\s;{}]+|[;{}]/g)) {
    if (token === "}" && words.length > 0) return `${words.join(" ")} does not end`;
    if (token === "}" && (contexts.pop(), contexts.length === 0)) return "a } too many";
    if (token === ";" || token === "{") {
      const [name = "", ...values] = words;
      if (!NGINX[name]?.includes(contexts.at(-1) ?? "")) return `${name} is not known there`;
      if (token === ";" && values.length === 0) return `${name} has no value`;
      if (token === "{") contexts.push(name);
      words = [];
    } else if (token !== "}") words.push(token);
  }
  if (words.length > 0) return `${words.join(" ")} does not end`;
  return contexts.length === 1 ? "" : "a } is missing";
}

/** What is wrong with a configuration as far as its form tells, for machines without the server. */
export function findFault({ server, text }: Configuration): string {
  if (text === "" || text.includes("…")) return "there is nothing to paste";
  if (server === "nginx") return findNginxFault(text);
  const [name = "", ...values] = text.split(" ");
  if (!(server === "apache" ? APACHE : CADDY).includes(name)) return `${name} is not known`;
  return values.length === 0 ? `${name} has no value` : "";
}
