import type { Text } from "../../shared/language.ts";
import { TARGET_HEADERS, TargetHeaders } from "../../shared/check.ts";
import { isToken } from "../../shared/token.ts";
import type { CommonFlags } from "../terminal/command.ts";
import { CliError, untranslated, usageError } from "../terminal/errors.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import type { Env } from "../terminal/io.ts";
import { parseJson } from "../terminal/json.ts";
import { readLanguage } from "../terminal/words.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { findOrigin, isUrl } from "../../shared/url.ts";

const DEFAULT_BASE_URL = "http://127.0.0.1:7070";
const DEFAULT_TIMEOUT_S = 60;

export type Settings = ReturnType<typeof readSettings>;

function isLoopback(url: URL): boolean {
  return (
    url.hostname === "localhost" ||
    url.hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(url.hostname)
  );
}

export function readBaseUrl(env: Env, flag: string | undefined): URL {
  const source = flag === undefined ? "SHIPSCORE_URL" : "--base-url";
  const advice = {
    fr: `Indiquez dans ${source} une URL telle que https://shipscore.example.com`,
    en: `Set ${source} to a URL such as https://shipscore.example.com`,
  };
  const refuse = (what: Text) => usageError(what, advice);
  const text = flag ?? (env.SHIPSCORE_URL || DEFAULT_BASE_URL);
  if (!isUrl(text))
    throw refuse({ fr: `${source} n'est pas une URL`, en: `${source} is not a URL` });
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw refuse({
      fr: `${source} n'est ni en https ni en http`,
      en: `${source} is neither https nor http`,
    });
  if (url.username || url.password || url.search || url.hash)
    throw refuse({
      fr: `${source} contient autre chose qu'un hôte et un chemin`,
      en: `${source} contains more than a host and a path`,
    });
  if (url.protocol === "http:" && !isLoopback(url))
    throw usageError(
      {
        fr: `${source} se connecte en http, sans chiffrement, à ${url.hostname} : le jeton pourrait être intercepté`,
        en: `${source} uses plain http to ${url.hostname}, so anyone on the network could read the token`,
      },
      {
        fr: "Utilisez https ; http n'est accepté que vers cette machine",
        en: "Use https; plain http is accepted for this machine only",
      },
    );
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/**
 * A server of `shipscore-server exec` stops with its command, so its rules are documented at SHIPSCORE_PUBLIC_URL, or
 * nowhere.
 * @throws CliError 2
 */
export function findDocsBase(env: Env, flag: string | undefined): URL | null {
  const baseUrl = readBaseUrl(env, flag);
  if (!env.SHIPSCORE_EXEC || flag !== undefined) return baseUrl;
  const publicUrl = env.SHIPSCORE_PUBLIC_URL;
  return publicUrl ? readBaseUrl({}, publicUrl) : null;
}

const FAULTS: readonly (readonly [RegExp, Text])[] = [
  [/^\s*$/, { fr: "il ne contient que des espaces", en: "it contains only whitespace" }],
  [/[\r\n]\s*\S/, { fr: "il occupe plusieurs lignes", en: "it spans several lines" }],
  [
    /^\s|\s$/,
    { fr: "il commence ou finit par un espace", en: "it begins or ends with whitespace" },
  ],
  [
    /^bearer\s/i,
    {
      fr: "il commence par Bearer, que la commande ajoute elle-même",
      en: "it begins with Bearer, which the command adds itself",
    },
  ],
  [/^["'`«“]|["'`»”]$/, { fr: "il est entre guillemets", en: "it is in quotes" }],
  [
    /^\$|^%.*%$|^<.*>$|^\*+$/,
    {
      fr: "c'est une variable ou un exemple qui n'a pas été remplacé",
      en: "it is a placeholder that was not replaced",
    },
  ],
  [/^(?!psk_)/, { fr: "il ne commence pas par psk_", en: "it does not begin with psk_" }],
  [
    /[^0-9A-Za-z_]/,
    {
      fr: "il contient un caractère qu'aucun jeton ne contient",
      en: "it contains a character that tokens never contain",
    },
  ],
];

const TOKEN_LENGTH = 44;

function findTokenFault(token: string): Text {
  const known = FAULTS.find(([pattern]) => pattern.test(token));
  if (known) return known[1];
  const { length } = token;
  if (length === TOKEN_LENGTH)
    return {
      fr: "sa somme de contrôle est fausse : un caractère a été mal saisi",
      en: "its checksum is wrong, so a character was mistyped",
    };
  const cause =
    length < TOKEN_LENGTH
      ? { fr: "il manque peut-être la fin", en: "its end may be missing" }
      : {
          fr: "d'autres caractères ont été collés avec lui",
          en: "something else was pasted with it",
        };
  return {
    fr: `il a ${length} caractères au lieu de ${TOKEN_LENGTH} : ${cause.fr}`,
    en: `it has ${length} characters instead of ${TOKEN_LENGTH}: ${cause.en}`,
  };
}

const EXEC = "shipscore-server exec -- shipscore check URL";

const TOKEN_PAGE: Text = {
  fr: "la page /settings/api de votre serveur",
  en: "your server's /settings/api page",
};

/** No error repeats the token. */
export function readToken(env: Env, page = TOKEN_PAGE): string {
  const token = env.SHIPSCORE_TOKEN;
  if (!token)
    throw new CliError(
      EXIT.tokenRefused,
      token === undefined
        ? { fr: "SHIPSCORE_TOKEN n'est pas défini", en: "SHIPSCORE_TOKEN is not set" }
        : { fr: "SHIPSCORE_TOKEN est vide", en: "SHIPSCORE_TOKEN is empty" },
      {
        fr: `Placez-y un jeton de votre compte, généré sur ${page.fr}, ou lancez la vérification sans serveur ni compte : ${EXEC}`,
        en: `Set it to a token of your account, from ${page.en}, or check without a server or an account: ${EXEC}`,
      },
    );
  if (!isToken(token)) {
    const fault = findTokenFault(token);
    throw new CliError(
      EXIT.tokenRefused,
      {
        fr: `SHIPSCORE_TOKEN est mal formé : ${fault.fr}`,
        en: `SHIPSCORE_TOKEN is malformed: ${fault.en}`,
      },
      {
        fr: "Copiez à nouveau le jeton en entier ; rien n'a été envoyé",
        en: "Copy the whole token again; nothing was sent",
      },
    );
  }
  return token;
}

/** NO_PROXY lists hosts, with or without a port, and parent domains. */
function isExempt(url: URL, noProxy: string): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = "", entryPort = port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (entry === "*") return true;
      const isNamed = url.hostname === name || url.hostname.endsWith(`.${name}`);
      return name !== "" && isNamed && entryPort === port;
    });
}

/** Requests to this machine use no proxy, because it would get their token. */
export function readProxy(env: Env, url: URL): URL | null {
  const proxy = env.https_proxy ?? env.HTTPS_PROXY ?? "";
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? "";
  if (proxy === "" || isLoopback(url) || isExempt(url, noProxy)) return null;
  if (!/^https?:\/\//i.test(proxy) || !isUrl(proxy))
    throw usageError(
      { fr: "HTTPS_PROXY n'est pas une URL", en: "HTTPS_PROXY is not a URL" },
      { fr: "Écrivez-la sous la forme http://host:port", en: "Write it as http://host:port" },
    );
  return new URL(proxy);
}

/** @throws CliError 2 for a URL or a proxy that cannot be used, 41 for the token */
export function readSettings(env: Env, flags: CommonFlags) {
  const baseUrl = readBaseUrl(env, flags.baseUrl);
  return {
    baseUrl,
    token: readToken(env, untranslated(new URL("settings/api", baseUrl).href)),
    timeoutMs: (flags.timeout ?? DEFAULT_TIMEOUT_S) * 1000,
    language: readLanguage(env),
    proxy: readProxy(env, baseUrl),
    isVerbose: flags.verbose ?? false,
  };
}

const originOf = (url: string): string => (isUrl(url) ? new URL(url).origin : url);

function checkTargets(
  { SHIPSCORE_TARGET_ORIGIN: text }: Env,
  urls: readonly string[],
  typed: readonly string[],
): void {
  const target = findOrigin(text ?? "");
  if (text && target === undefined)
    throw usageError(
      {
        fr: "SHIPSCORE_TARGET_ORIGIN n'est pas une origine https",
        en: "SHIPSCORE_TARGET_ORIGIN is not an https origin",
      },
      {
        fr: "Indiquez une origine telle que https://preview.example.com",
        en: "Use one such as https://preview.example.com",
      },
    );
  const named = new Set([target, ...typed.map(originOf)]);
  const other = urls.map(originOf).find((origin) => !named.has(origin));
  if (other !== undefined)
    throw usageError(
      {
        fr: `SHIPSCORE_TARGET_HEADERS serait envoyé à ${withoutSecrets(other)}, que seul un fichier indique`,
        en: `SHIPSCORE_TARGET_HEADERS would be sent to ${withoutSecrets(other)}, which is set only in a file`,
      },
      {
        fr: "Placez dans SHIPSCORE_TARGET_ORIGIN l'origine à laquelle ces en-têtes sont destinés, ou indiquez-la par --site ou par une URL",
        en: "Set SHIPSCORE_TARGET_ORIGIN to the origin that these headers are for, or use that origin in --site or in a URL",
      },
    );
}

/**
 * No error repeats a value. An origin that only a file has gets no headers, because the file may come from somebody else.
 * @param typed the URLs of flags and arguments
 */
export function readTargetHeaders(
  env: Env,
  urls: readonly string[],
  typed: readonly string[],
): TargetHeaders {
  const text = env.SHIPSCORE_TARGET_HEADERS;
  if (!text) return {};
  const names = TARGET_HEADERS.join(", ");
  const advice = {
    fr: `Indiquez un objet JSON avec un ou plusieurs de ces en-têtes : ${names}`,
    en: `Use a JSON object with any of ${names}`,
  };
  const value = parseJson(text);
  if (value === undefined)
    throw usageError(
      {
        fr: "SHIPSCORE_TARGET_HEADERS n'est pas du JSON",
        en: "SHIPSCORE_TARGET_HEADERS is not JSON",
      },
      advice,
    );
  const { success, data } = TargetHeaders.safeParse(value);
  if (!success)
    throw usageError(
      {
        fr: "SHIPSCORE_TARGET_HEADERS contient un en-tête ou une valeur qui n'est pas autorisé",
        en: "SHIPSCORE_TARGET_HEADERS contains a header or a value that is not allowed",
      },
      advice,
    );
  if (Object.keys(data).length > 0) checkTargets(env, urls, typed);
  return data;
}
