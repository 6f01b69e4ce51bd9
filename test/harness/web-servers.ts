import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { getAuthority } from "./site.ts";
import { environmentOf, findProgram } from "./unpacked.ts";

export type WebServer = "nginx" | "apache" | "caddy";

const PROGRAMS = { nginx: ["nginx"], apache: ["apache2", "httpd"], caddy: ["caddy"] };

/** Finds the server's program, installed or unpacked. Returns undefined if neither runs. */
export const findWebServer = (server: WebServer): string | undefined =>
  findProgram(PROGRAMS[server], server === "caddy" ? "version" : "-v");

/** Whether an nginx program supports `http2 on`, which is new in 1.25.1. */
export async function hasHttp2Directive(program: string): Promise<boolean> {
  const { stderr } = await execa(program, ["-v"], { env: environmentOf(program) });
  const version = /nginx\/([\d.]+)/.exec(stderr)?.[1] ?? "";
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return major * 1e6 + minor * 1e3 + patch >= 1_025_001;
}

interface Site {
  readonly folder: string;
  readonly cert: string;
  readonly key: string;
}

/** Extends a snippet to a whole configuration, with the test's socket and an existing certificate. */
export function configureNginx(snippet: string, { folder, cert, key }: Site): string {
  const mine = snippet
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\blisten (\[::\]:)?(\d+)/g, (_, six = "", port: string) => {
      const socket = `nginx-${six === "" ? "" : "6-"}${port}.sock`;
      return `listen unix:${join(folder, socket)}`;
    })
    .replaceAll(/\S+\/fullchain\.pem/g, cert)
    .replaceAll(/\S+\/privkey\.pem/g, key);
  const isBlock = mine.startsWith("server {");
  const has = (name: string) => new RegExp(`(?:^|[;{]\\s*)${name}\\s`).test(mine);
  const frame = [
    ...(has("listen") ? [] : [`listen unix:${folder}/nginx.sock ssl;`]),
    ...(has("ssl_certificate") ? [] : [`ssl_certificate ${cert};`]),
    ...(has("ssl_certificate_key") ? [] : [`ssl_certificate_key ${key};`]),
  ];
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return [
    `pid ${folder}/nginx.pid;`,
    "error_log stderr;",
    "events {}",
    "http {",
    "access_log off;",
    ...paths.map((name) => `${name}_temp_path ${folder}/${name};`),
    isBlock ? mine : `server { ${frame.join(" ")} ${mine} }`,
    "}",
  ].join("\n");
}

function configureApache(snippet: string, { folder, cert, key }: Site, modules: string): string {
  const names = [
    "mpm_event",
    "authz_core",
    "alias",
    "headers",
    "ssl",
    "http2",
    "filter",
    "deflate",
  ];
  const isOfServer = snippet.startsWith("ServerTokens ");
  return [
    `ServerRoot ${folder}`,
    "ServerName localhost",
    `PidFile ${folder}/pid`,
    `DefaultRuntimeDir ${folder}`,
    `ErrorLog ${folder}/error.log`,
    ...names.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`),
    isOfServer ? snippet : "",
    "<VirtualHost *:8443>",
    "SSLEngine on",
    `SSLCertificateFile ${cert}`,
    `SSLCertificateKeyFile ${key}`,
    isOfServer ? "" : snippet,
    "</VirtualHost>\n",
  ].join("\n");
}

function configureCaddy(snippet: string): string {
  const isSite = /^\S+ \{\n/m.test(snippet);
  return `{\n\tadmin off\n}\n${isSite ? snippet : `http://127.0.0.1:8080 {\n\t${snippet}\n}\n`}`;
}

/** Makes the server parse a site's configuration with this snippet, without starting. Returns its errors. */
export async function loadSnippet(
  server: WebServer,
  program: string,
  snippet: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sc-server-"));
  const file = join(folder, "site.conf");
  const site = { folder, cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  const issued = await (await getAuthority()).issue({ hosts: ["localhost"] });
  const modules = join(dirname(program), "../lib/apache2/modules");
  const commands = {
    nginx: () => [configureNginx(snippet, site), "-t", "-q", "-p", folder, "-c", file],
    apache: () => [configureApache(snippet, site, modules), "-t", "-f", file],
    caddy: () => [configureCaddy(snippet), "validate", "--adapter", "caddyfile", "--config", file],
  };
  try {
    const [text = "", ...words] = commands[server]();
    await writeFile(site.cert, issued.cert);
    await writeFile(site.key, issued.key);
    await writeFile(file, text);
    const home = join(folder, "home");
    await mkdir(home);
    const { exitCode, all } = await execa(program, words, {
      env: { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, ...environmentOf(program) },
      reject: false,
      all: true,
    });
    return exitCode === 0 ? "" : all;
  } finally {
    await rm(folder, { recursive: true });
  }
}
