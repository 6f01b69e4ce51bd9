import { loadPeer } from "./peers.ts";
import { readLines } from "./opinion.ts";
import {
  CRAWLER,
  METAS,
  PAGE,
  type Head,
  readRobotsCase,
  tell,
  tellCookies,
  tellHead,
  tellType,
} from "./readings.ts";
import type { Judge } from "./topic.ts";

interface JarCookie {
  readonly key: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  TTL(): number;
}

interface ToughCookie {
  readonly CookieJar: new (
    store: undefined,
    options: { looseMode: boolean },
  ) => {
    setCookieSync(line: string, url: string, options: { ignoreError: boolean }): unknown;
    serializeSync(): { readonly cookies: readonly object[] };
  };
  readonly Cookie: { fromJSON(kept: object): JarCookie | undefined };
}

/** The cookies in its jar, which accepts cookies without a name, as browsers do, and drops expired ones. */
export async function loadJar(): Promise<Judge> {
  const { Cookie, CookieJar } = await loadPeer<ToughCookie>("tough-cookie");
  return (_topic, lines) => {
    const jar = new CookieJar(undefined, { looseMode: true });
    const { headers } = readLines(lines, "");
    for (const value of headers.filter((_value, index) => index % 2 === 1))
      jar.setCookieSync(value, PAGE.href, { ignoreError: true });
    const kept = jar.serializeSync().cookies.flatMap((one) => Cookie.fromJSON(one) ?? []);
    return tellCookies(
      kept
        .filter((cookie) => cookie.TTL() > 0)
        .map(({ key, secure, httpOnly }) => ({
          name: key,
          isSecure: secure,
          isHttpOnly: httpOnly,
        })),
    );
  };
}

interface WhatwgMimetype {
  readonly MIMEType: {
    parse(value: string): {
      readonly essence: string;
      readonly parameters: ReadonlyMap<string, string>;
    } | null;
  };
}

export async function loadWhatwgMimetype(): Promise<Judge> {
  const { MIMEType } = await loadPeer<WhatwgMimetype>("whatwg-mimetype");
  return (_topic, [value = ""]) => {
    const type = MIMEType.parse(value);
    const charset = type?.parameters.get("charset")?.toLowerCase() ?? null;
    return tellType(type && { essence: type.essence, charset });
  };
}

interface RobotsParser {
  readonly default: (
    url: string,
    text: string,
  ) => { isAllowed(url: string, crawler: string): boolean | undefined };
}

export async function loadRobotsParser(): Promise<Judge> {
  const { default: parse } = await loadPeer<RobotsParser>("robots-parser");
  return (_topic, lines) => {
    const { url, text } = readRobotsCase(lines);
    const robots = parse(new URL("/robots.txt", url).href, text);
    return tell(robots.isAllowed(url.href, CRAWLER) === false ? "blocked" : "open");
  };
}

/** A node of the tree that parse5 builds. */
interface Node {
  readonly nodeName: string;
  readonly namespaceURI?: string;
  readonly mode?: string;
  readonly value?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Node[];
}

interface Parse5 {
  readonly parse: (html: string) => Node;
}

const HTML_NAMESPACE = "http://www.w3.org/1999/xhtml";

function attribute({ attrs = [] }: Node, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value;
}

function descend(node: Node): Node[] {
  return (node.childNodes ?? []).flatMap((child) => [child, ...descend(child)]);
}

function readHead(document: Node): Head {
  const nodes = descend(document).filter(({ namespaceURI }) => namespaceURI === HTML_NAMESPACE);
  const find = (name: string) => nodes.find(({ nodeName }) => nodeName === name);
  const root = find("html");
  const head = find("head");
  const title = find("title");
  const metas = nodes.filter(({ nodeName }) => nodeName === "meta");
  return {
    lang: (root && attribute(root, "lang")) ?? null,
    title: title ? (title.childNodes ?? []).map(({ value }) => value).join("") : null,
    metas: metas.flatMap((meta) => {
      const name = (attribute(meta, "http-equiv") ?? attribute(meta, "name") ?? "").toLowerCase();
      const content = attribute(meta, "content") ?? "";
      const isInHead = head?.childNodes?.includes(meta) ?? false;
      return METAS.includes(name) ? [{ name, content, isInHead }] : [];
    }),
  };
}

/** The mode, or the head, of the document that it builds; "limited quirks" mode only affects tables. */
export async function loadParse5(): Promise<Judge> {
  const { parse } = await loadPeer<Parse5>("parse5");
  return ({ title }, lines) => {
    const document = parse(lines.join("\n"));
    if (title === "Document head") return tellHead(readHead(document));
    return tell(document.mode === "quirks" ? "quirks mode" : "standards mode");
  };
}
