import type { Language, Text } from "../../../../shared/language.ts";
import type { BodyOddity, Evidence } from "../../evidence/evidence.ts";
import type { OddAnswer, Oddity } from "../../evidence/exchange.ts";
import { cut, type Fix, writeText } from "../rule.ts";

const BODY_ODDITIES: Readonly<Record<BodyOddity, Text>> = {
  break: {
    fr: "la connexion se ferme avant la fin annoncée de la page",
    en: "the connection closes before the announced end of the page",
  },
  trailer: {
    fr: "la somme de contrôle de la compression manque ou est fausse",
    en: "the checksum of the compression is missing or wrong",
  },
  bytes_after: {
    fr: "d'autres octets suivent la fin de la page compressée",
    en: "other bytes follow the end of the compressed page",
  },
  members: {
    fr: "un second membre gzip, que les navigateurs ne lisent pas, suit la page",
    en: "a second gzip member, which browsers do not read, follows the page",
  },
};

const BODY_FIX: Fix = {
  fr: "Envoyez la page entière, compressée une seule fois par un seul programme : vérifiez Content-Length, les délais du serveur et du proxy, et le code qui compresse.",
  en: "Send the whole page, compressed once by one program: check Content-Length, the timeouts of the server and the proxy, and the code that compresses.",
};

function describeBody({ page }: Evidence): Text | undefined {
  const oddities = page.body?.oddities ?? [];
  if (oddities.length === 0) return undefined;
  const list = (language: Language) =>
    oddities.map((each) => BODY_ODDITIES[each][language]).join(", ");
  return writeText(list);
}

const ODDITIES: Readonly<Record<Oddity, Text>> = {
  status_line: { fr: "la ligne de statut", en: "the status line" },
  line_ends: {
    fr: "des lignes qui ne finissent pas par CRLF",
    en: "lines that do not end in CRLF",
  },
  fold: { fr: "un en-tête sur plusieurs lignes", en: "a header that takes several lines" },
  name: { fr: "un nom d'en-tête invalide", en: "an invalid header name" },
  no_colon: { fr: "une ligne sans deux-points", en: "a line without a colon" },
  control: {
    fr: "un caractère de contrôle dans un en-tête",
    en: "a control character in a header",
  },
  length: {
    fr: "un Content-Length répété ou illisible",
    en: "a Content-Length that is repeated or unreadable",
  },
  length_and_chunks: {
    fr: "Content-Length avec Transfer-Encoding",
    en: "Content-Length together with Transfer-Encoding",
  },
  transfer_encoding: {
    fr: "un Transfer-Encoding autre que chunked",
    en: "a Transfer-Encoding other than chunked",
  },
  chunk_size: { fr: "une taille de fragment mal écrite", en: "a badly written chunk size" },
};
const SYNTAX_FIX = {
  fr: "Cherchez ce qui écrit cette réponse : une application, un proxy ou un pare-feu applicatif (curl -v l'affiche telle quelle).",
  en: "Look for what writes this response: an application, a proxy or a web application firewall (curl -v shows it as it is).",
};
const MAX_NOTED = 3;

function listOddities(answers: readonly OddAnswer[]): Text {
  const kinds = [...new Set(answers.flatMap(({ oddities }) => oddities))];
  return writeText((language) => kinds.map((kind) => ODDITIES[kind][language]).join(", "));
}

interface Syntax {
  /** Undefined if browsers see no fault in the answers of the page. */
  readonly fault: Text | undefined;
  readonly fix: Fix;
  readonly note: Text;
}

/** Describes invalid answers that browsers show. Where they use HTTP/2, they do not see an invalid HTTP/1.1. */
export function readSyntax(evidence: Evidence): Syntax {
  const { oddAnswers, page } = evidence;
  const seen = oddAnswers.filter(({ offersHttp2 }) => !offersHttp2);
  const unseen = oddAnswers.filter(({ offersHttp2 }) => offersHttp2);
  const isOfPage = ({ url }: OddAnswer) => page.hops.some((hop) => hop.url === url);
  const [own, others] = [seen.filter(isOfPage), seen.filter((one) => !isOfPage(one))];
  const ofBody = describeBody(evidence);
  const kinds = writeText((language) =>
    [listOddities(own)[language], ofBody?.[language]].filter(Boolean).join(", "),
  );
  const fault =
    kinds.en === ""
      ? undefined
      : {
          fr: `La réponse est mal formée, mais les navigateurs l'affichent : ${kinds.fr}.`,
          en: `The response is malformed, but browsers show it: ${kinds.en}.`,
        };
  const urls = others
    .slice(0, MAX_NOTED)
    .map(({ url }) => cut(url, 100))
    .join(", ");
  const [ofOthers, ofUnseen] = [listOddities(others), listOddities(unseen)];
  const notes = [
    others.length > 0 && {
      fr: `HTTP invalide, mais lisible, aussi pour ${urls} : ${ofOthers.fr}.`,
      en: `Invalid but readable HTTP also for ${urls}: ${ofOthers.en}.`,
    },
    unseen.length > 0 && {
      fr: `HTTP/1.1 invalide (${ofUnseen.fr}), ce que les navigateurs ne voient pas : ils utilisent HTTP/2.`,
      en: `Invalid HTTP/1.1 (${ofUnseen.en}), which browsers do not see: they use HTTP/2.`,
    },
  ].filter((note) => note !== false);
  return {
    fault,
    fix: own.length === 0 ? BODY_FIX : SYNTAX_FIX,
    note: writeText((language) => notes.map((note) => ` ${note[language]}`).join("")),
  };
}
