import { describeCount } from "../../../../shared/report/words.ts";
import type { Language, Text } from "../../../../shared/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Hop } from "../../evidence/exchange.ts";
import {
  type Fix,
  type Rule,
  cut,
  fail,
  notApplicable,
  ownAnswer,
  pageAnswer,
  pageHtml,
  partial,
  pass,
  unknown,
  htmlPart,
  rfc,
} from "../rule.ts";
import { headerValues } from "../../evidence/accessors.ts";
import { findPlatform } from "../facts/platforms.ts";
import { COMPRESSORS, findWebServer, withDirectives } from "../facts/web-server.ts";
import { UNREAD_HTML } from "./html-document.ts";
import { MIN_COMPRESSIBLE_BYTES } from "./perf-files.ts";

function fixCompression(answer?: Hop): Fix {
  return (
    findPlatform(answer?.headers)?.compression ??
    withDirectives(
      { fr: "Compressez le HTML", en: "Compress the HTML" },
      { nginx: "gzip on;", ...COMPRESSORS },
      answer,
    )
  );
}

export const compression: Rule = {
  id: "perf.compression",
  title: { fr: "Compression de la page", en: "Page compression" },
  measures: {
    fr: "Le HTML de plus de 1 400 octets est compressé (br, zstd, gzip ou deflate).",
    en: "HTML over 1,400 bytes is compressed (br, zstd, gzip or deflate).",
  },
  why: {
    fr: "Le téléchargement est plusieurs fois plus gros que nécessaire.",
    en: "The download is several times larger than necessary.",
  },
  fix: fixCompression(),
  standard: rfc(9110, "8.4"),
  parents: pageAnswer,
  judge({ page }) {
    const { body } = page;
    if (body && body.state === "unsupported")
      return unknown({
        fr: `Content-Encoding non pris en charge : ${cut(body.encoding ?? "", 40)}.`,
        en: `Unsupported Content-Encoding: ${cut(body.encoding ?? "", 40)}.`,
      });
    const { wireBytes = 0, decodedBytes = 0, encoding = null } = body ?? {};
    if (decodedBytes <= MIN_COMPRESSIBLE_BYTES)
      return notApplicable({
        fr: `${describeCount(decodedBytes, "fr")} octets de HTML : trop peu pour gagner à les compresser.`,
        en: `${describeCount(decodedBytes, "en")} bytes of HTML: too few to gain from compression.`,
      });
    if (encoding !== null)
      return pass({
        fr: `Compressé en ${encoding} : ${describeCount(wireBytes, "fr")} octets reçus pour ${describeCount(decodedBytes, "fr")}.`,
        en: `Compressed with ${encoding}: ${describeCount(wireBytes, "en")} bytes received for ${describeCount(decodedBytes, "en")}.`,
      });
    return fail(
      {
        fr: `Le HTML n'est pas compressé : ${describeCount(decodedBytes, "fr")} octets reçus.`,
        en: `The HTML is not compressed: ${describeCount(decodedBytes, "en")} bytes received.`,
      },
      fixCompression(page.hops.at(-1)),
    );
  },
};

const MAX_HTML_BYTES = 500_000;
const MAX_BLOCKING = 6;

function blockingUrls({ page }: Evidence): string {
  const resources = page.body?.html?.resources ?? [];
  return resources
    .flatMap(({ url, blocking }) => (blocking ? [cut(url, 80)] : []))
    .slice(0, 3)
    .join(", ");
}

export const weight: Rule = {
  id: "perf.weight",
  title: { fr: "Poids de la page", en: "Page weight" },
  measures: {
    fr: "Au plus 500 ko de HTML décompressé et 6 fichiers qui bloquent le premier affichage.",
    en: "At most 500 kB of uncompressed HTML and 6 render-blocking files.",
  },
  why: {
    fr: "Sur un téléphone, l'écran reste blanc plus longtemps.",
    en: "On a phone, the screen stays blank for longer.",
  },
  fix: {
    fr: "Divisez la page en plusieurs, chargez les scripts avec defer, et les feuilles de style secondaires après le premier affichage.",
    en: "Split the page into several, load scripts with defer, and load secondary style sheets after the first display.",
  },
  standard: htmlPart("blocking attributes", "urls-and-fetching", "blocking-attributes"),
  parents: pageHtml,
  judge(evidence) {
    const { body } = evidence.page;
    if (body?.state === "over_limit")
      return fail({
        fr: `Plus de ${describeCount(Math.round(body.decodedBytes / 1000), "fr")} ko de HTML.`,
        en: `More than ${describeCount(Math.round(body.decodedBytes / 1000), "en")} kB of HTML.`,
      });
    if (!body?.html) return UNREAD_HTML;
    const kilobytes = Math.ceil(body.decodedBytes / 1000);
    const { blockingCount } = body.html;
    const list = blockingCount > MAX_BLOCKING ? blockingUrls(evidence) : "";
    const found = {
      fr: `${describeCount(kilobytes, "fr")} ko de HTML ; fichiers qui bloquent le premier affichage : ${blockingCount}${list && ` (${list}…)`}.`,
      en: `${describeCount(kilobytes, "en")} kB of HTML; render-blocking files: ${blockingCount}${list && ` (${list}…)`}.`,
    };
    if (body.state === "late" && kilobytes * 1000 <= MAX_HTML_BYTES)
      return unknown({
        fr: `La page n'est pas arrivée en entier : ${describeCount(kilobytes, "fr")} ko reçus.`,
        en: `The page did not arrive completely: ${describeCount(kilobytes, "en")} kB received.`,
      });
    const isLight = body.decodedBytes <= MAX_HTML_BYTES && blockingCount <= MAX_BLOCKING;
    return isLight ? pass(found) : fail(found);
  },
};

const FAST_MS = 800;
const SLOW_MS = 1800;
const SAMPLES: Record<Evidence["firstBytes"][number]["of"], Text> = {
  page: { fr: "page", en: "page" },
  robots: { fr: "robots.txt", en: "robots.txt" },
  notFound: { fr: "chemin inconnu", en: "unknown path" },
};

function locateDelay(firstBytes: Evidence["firstBytes"], pageMs: number): Text {
  const others = firstBytes.filter(({ of }) => of !== "page");
  if (others.length === 0) return { fr: "", en: "" };
  if (others.every(({ ms }) => ms >= pageMs / 2))
    return {
      fr: " Tout le serveur est lent, ou le réseau qui y mène.",
      en: " The whole server is slow, or the network that leads to it.",
    };
  return {
    fr: " Le reste du serveur répond plus vite.",
    en: " The rest of the server responds faster.",
  };
}

export const firstByte: Rule = {
  id: "perf.ttfb",
  title: { fr: "Délai du premier octet (TTFB)", en: "Time to first byte (TTFB)" },
  measures: {
    fr: "Le premier octet de la page arrive en 800 ms au plus, connexion non comprise. Une attente de 1 800 ms au plus rapporte la moitié des points. S'il a fallu envoyer de nouveau la requête, l'attente est mesurée depuis la première. Les mesures de robots.txt et d'un chemin inconnu servent seulement à savoir si tout le serveur est lent.",
    en: "The page's first byte arrives within 800 ms, not counting the connection. A wait of up to 1,800 ms earns half the points. If the request had to be sent again, the wait counts from the first one. The times of robots.txt and an unknown path only show whether the whole server is slow.",
  },
  why: {
    fr: "Rien ne peut s'afficher avant le premier octet.",
    en: "Nothing can be displayed before the first byte.",
  },
  fix: {
    fr: "Mettez la page en cache sur le serveur ou dans un CDN, ou rapprochez le serveur de ses visiteurs.",
    en: "Cache the page on the server or in a CDN, or move the server closer to its visitors.",
  },
  standard: { name: "web.dev, TTFB", url: "https://web.dev/articles/ttfb" },
  parents: pageAnswer,
  judge({ firstBytes }) {
    const page = firstBytes.find(({ of }) => of === "page");
    if (!page)
      return unknown({
        fr: "Le délai du premier octet de la page n'a pas été mesuré.",
        en: "The time to the page's first byte was not measured.",
      });
    const list = (language: Language): string =>
      firstBytes
        .map(
          ({ of, ms }) => `${SAMPLES[of][language]} ${describeCount(Math.round(ms), language)} ms`,
        )
        .join(", ");
    const times = { fr: `Premier octet : ${list("fr")}.`, en: `First byte: ${list("en")}.` };
    if (page.ms <= FAST_MS) return pass(times);
    const where = locateDelay(firstBytes, page.ms);
    const found = { fr: `${times.fr}${where.fr}`, en: `${times.en}${where.en}` };
    return page.ms <= SLOW_MS ? partial("slow", found) : fail(found);
  },
};

const HTTP2_SINCE = "1.25.1";

function isBefore(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) < 0;
}

const OLD_LINE = "listen 443 ssl http2;";

/** nginx 1.25.1 replaced OLD_LINE. The fix shows both lines if nginx hides its version. */
function fixHttp2(answer?: Hop): Fix {
  const { name, version } = findWebServer(answer) ?? {};
  return (
    findPlatform(answer?.headers)?.http2 ??
    withDirectives(
      { fr: "Activez HTTP/2", en: "Turn on HTTP/2" },
      {
        nginx: isBefore(version ?? HTTP2_SINCE, HTTP2_SINCE) ? OLD_LINE : "http2 on;",
        [`nginx < ${HTTP2_SINCE}`]: OLD_LINE,
        Apache: "Protocols h2 http/1.1",
      },
      name === "nginx" && version === undefined ? undefined : answer,
    )
  );
}

function noteHttp3(answer?: Hop): Text {
  const offered = headerValues(answer?.headers ?? [], "alt-svc").join(", ");
  return /\bh3\b/.test(offered)
    ? { fr: " Il propose aussi HTTP/3 (Alt-Svc).", en: " It also offers HTTP/3 (Alt-Svc)." }
    : { fr: "", en: "" };
}

export const http2: Rule = {
  id: "perf.http2",
  title: { fr: "Prise en charge de HTTP/2", en: "HTTP/2 support" },
  measures: {
    fr: "Quand HTTP/2 lui est proposé (ALPN), le serveur de la page le choisit (h2).",
    en: "When offered HTTP/2 (ALPN), the page's server chooses it (h2).",
  },
  why: {
    fr: "En HTTP/1.1, les navigateurs ne chargent d'un hôte que six fichiers à la fois.",
    en: "Over HTTP/1.1, browsers load only six files at a time from a host.",
  },
  fix: fixHttp2(),
  standard: rfc(9113, "3.2"),
  parents: ownAnswer,
  judge({ alpn, lastHost, page }) {
    const { outcome, code } = lastHost?.alpn ?? alpn;
    if (outcome === "unknown") {
      const why = code === null ? "" : ` (${cut(code, 60)})`;
      return unknown({
        fr: `La négociation TLS qui propose HTTP/2 n'a pas abouti${why}.`,
        en: `The TLS handshake that offers HTTP/2 did not complete${why}.`,
      });
    }
    const found =
      outcome === "none"
        ? {
            fr: "Quand HTTP/2 lui est proposé, le serveur ne choisit aucun protocole.",
            en: "When offered HTTP/2, the server chooses no protocol.",
          }
        : {
            fr: `Quand HTTP/2 lui est proposé, le serveur choisit ${outcome}.`,
            en: `When offered HTTP/2, the server chooses ${outcome}.`,
          };
    if (outcome !== "h2") return fail(found, fixHttp2(page.hops.at(-1)));
    const note = noteHttp3(page.hops.at(-1));
    return pass({ fr: `${found.fr}${note.fr}`, en: `${found.en}${note.en}` });
  },
};
