import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { OBSERVATORY_HOME } from "./peers.ts";
import { findVerdict, readLines } from "./opinion.ts";
import type { Judge } from "./topic.ts";

const URL_JUDGED = "https://www.example.com/";
const FOREIGN_ORIGIN = "https://http-observatory.security.mozilla.org";

interface Output {
  readonly pass: boolean;
  readonly result: string;
}

interface Jar {
  setCookieSync(line: string, url: string, options: { ignoreError: boolean }): unknown;
}

const ANALYSERS: Readonly<Record<string, readonly [file: string, name: string]>> = {
  "Content-Security-Policy": ["csp", "contentSecurityPolicyTest"],
  "Strict-Transport-Security": ["strict-transport-security", "strictTransportSecurityTest"],
  "X-Frame-Options and frame-ancestors": ["x-frame-options", "xFrameOptionsTest"],
  "X-Content-Type-Options": ["x-content-type-options", "xContentTypeOptionsTest"],
  "Referrer-Policy": ["referrer-policy", "referrerPolicyTest"],
  "Set-Cookie": ["cookies", "cookiesTest"],
  "Access-Control-Allow-Origin": ["cors", "crossOriginResourceSharingTest"],
  "Cross-Origin-Resource-Policy": ["cross-origin-resource-policy", "crossOriginResourcePolicyTest"],
};

/** Headers as Node gives them to the Observatory: one value per name, joined by commas, except for cookies. */
function joinHeaders(raw: readonly string[]): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? "").toLowerCase();
    values.set(name, [...(values.get(name) ?? []), raw[index + 1] ?? ""]);
  }
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, name === "set-cookie" ? all : all.join(", ")]),
  );
}

/** The Observatory's own analysers, applied to an answer made from a case's lines. */
export async function loadObservatory(): Promise<Judge> {
  const load = (file: string) =>
    import(pathToFileURL(file).href) as Promise<Record<string, (requests: object) => Output>>;
  const analysers = new Map(
    await Promise.all(
      Object.entries(ANALYSERS).map(async ([title, [file, name]]) => {
        const exported = await load(
          path.join(OBSERVATORY_HOME, "src/analyzer/tests", `${file}.js`),
        );
        return [title, exported[name]] as const;
      }),
    ),
  );
  const loadTheirs = createRequire(path.join(OBSERVATORY_HOME, "package.json"));
  const { CookieJar } = loadTheirs("tough-cookie") as { CookieJar: new () => Jar };
  const { AxiosHeaders } = loadTheirs("axios") as { AxiosHeaders: new (headers: object) => object };

  return ({ title }, lines) => {
    const { headers: raw, metas } = readLines(lines, FOREIGN_ORIGIN);
    const headers = joinHeaders(raw);
    const jar = new CookieJar();
    for (const line of headers["set-cookie"] ?? [])
      jar.setCookieSync(line, URL_JUDGED, { ignoreError: true });
    const httpEquiv = new Map([
      ["content-security-policy", metas.get("content-security-policy") ?? []],
      ...(metas.has("referrer")
        ? [["referrer-policy", metas.get("referrer")?.slice(-1)] as const]
        : []),
    ]);
    const answer = { headers: new AxiosHeaders(headers), httpEquiv, status: 200, verified: true };
    const analyse = analysers.get(title);
    if (!analyse) throw new Error(`the Observatory has no analyser for ${title}`);
    const { pass, result } = analyse({
      hostname: "www.example.com",
      session: { url: new URL(URL_JUDGED), jar },
      responses: {
        auto: answer,
        https: answer,
        cors: { ...answer, request: { headers: { origin: FOREIGN_ORIGIN } } },
      },
    });
    return { verdict: findVerdict(pass), words: result };
  };
}
