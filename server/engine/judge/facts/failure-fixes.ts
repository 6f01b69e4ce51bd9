import { TLS_DIRECTIVES, withDirectives } from "./web-server.ts";
import { type Failure, NO_ROUTE } from "../../evidence/exchange.ts";
import type { Text } from "../../../../shared/language.ts";
import { addLine, cut, type Fix, sameText } from "../rule.ts";
import { isPlainHost } from "./hosts.ts";

/** The checking machine has no route to the URL's addresses, so the failure says nothing about the site. */
export function isUnrouted(failure: Failure | null): boolean {
  return failure?.code === NO_ROUTE;
}

interface ParseFault {
  /** The end of a sentence. */
  readonly what: Text;
  readonly fix: Fix;
}

const WRITER_FIX = {
  fr: "La réponse n'est pas du HTTP valide : cherchez ce qui écrit ses en-têtes (curl -v l'affiche telle quelle).",
  en: "The response is not valid HTTP: look for what writes its headers (curl -v shows the response as it is).",
};
const CHUNKS_FIX = {
  fr: "Cherchez ce qui découpe la réponse en fragments (Transfer-Encoding) : laissez le serveur web ou le proxy le faire.",
  en: "Look for what splits the response into chunks (Transfer-Encoding): leave that to the web server or the proxy.",
};

function repeatFault(header: string): ParseFault {
  return {
    what: {
      fr: `deux en-têtes ${header} se contredisent`,
      en: `two ${header} headers contradict each other`,
    },
    fix: {
      fr: `Envoyez un seul en-tête ${header} : cherchez si l'application et le serveur, ou le proxy, en ajoutent chacun un.`,
      en: `Send a single ${header} header: check whether the application and the server, or the proxy, each add one.`,
    },
  };
}

/** Why browsers refuse a response. The codes are those of `net/http1-reader.ts`. */
const PARSE_FAULTS: Readonly<Record<string, ParseFault>> = {
  ERR_STATUS_LINE: {
    what: { fr: "elle n'a pas de ligne de statut", en: "it has no status line" },
    fix: WRITER_FIX,
  },
  ERR_HEAD_END: {
    what: { fr: "ses en-têtes sont tronqués", en: "its headers are cut off" },
    fix: WRITER_FIX,
  },
  ERR_HEAD_NUL: {
    what: { fr: "ses en-têtes contiennent un octet nul", en: "its headers contain a NUL byte" },
    fix: WRITER_FIX,
  },
  ERR_HEAD_SIZE: {
    what: { fr: "ses en-têtes dépassent 256 Kio", en: "its headers exceed 256 KiB" },
    fix: {
      fr: "Réduisez les en-têtes de la réponse à moins de 256 Kio : cherchez les cookies ou la politique (CSP) qui s'y accumulent.",
      en: "Reduce the response to less than 256 KiB of headers: look for cookies or a policy (CSP) that pile up in them.",
    },
  },
  ERR_CHUNKS: {
    what: {
      fr: "un fragment de son corps n'a pas la taille annoncée, ou une taille illisible",
      en: "a chunk of its body does not have the stated size, or an unreadable size",
    },
    fix: CHUNKS_FIX,
  },
  ERR_LENGTHS: repeatFault("Content-Length"),
  ERR_LOCATIONS: repeatFault("Location"),
  ERR_DISPOSITIONS: repeatFault("Content-Disposition"),
};
/** undici's error for an answer that it cannot parse has no code, so its name stands for it. */
const PARSER_ERROR = "HTTPParserError";

/** Undefined for a failure that is not about the syntax of the response. */
export function findParseFault({ code, detail }: Failure): ParseFault | undefined {
  if (code === PARSER_ERROR) return { what: sameText(cut(detail, 100) || code), fix: WRITER_FIX };
  return Object.hasOwn(PARSE_FAULTS, code) ? PARSE_FAULTS[code] : undefined;
}

/** The codes are those of Node and OpenSSL. */
const KNOWN: readonly (readonly [code: RegExp, fix: Fix])[] = [
  [
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/,
    withDirectives({ fr: "Activez TLS 1.2 et 1.3", en: "Turn on TLS 1.2 and 1.3" }, TLS_DIRECTIVES),
  ],
  [
    /CERTIFICATE_REQUIRED/,
    {
      fr: "Le serveur exige un certificat client : ne l'exigez que là où il le faut (dans nginx, réglez ssl_verify_client sur off).",
      en: "The server requires a client certificate: require it only where it is needed (in nginx, set ssl_verify_client to off).",
    },
  ],
];

export function findFix(failure: Failure, url: URL): Fix {
  const { phase, code } = failure;
  const fault = findParseFault(failure);
  if (fault) return fault.fix;
  const known = KNOWN.find(([pattern]) => pattern.test(code));
  if (known) return known[1];
  const port = url.port || "443";
  if (phase === "tls") return fixHandshake(url.hostname, port);
  if (phase === "response")
    return {
      fr: "Le serveur ferme la connexion sans répondre : cherchez dans son journal, et dans celui du proxy, un processus qui plante à cette requête.",
      en: "The server closes the connection without responding: look in its log, and in the proxy's, for a process that crashes on this request.",
    };
  if (phase === "deadline" || phase === "body")
    return {
      fr: "Faites commencer la réponse en moins de 10 secondes : cherchez une requête lente dans le journal du serveur, ou un pare-feu qui ignore les paquets (DROP).",
      en: "Start the response within 10 seconds: look for a slow request in the server's log, or for a firewall that drops packets.",
    };
  return {
    fr: `Vérifiez que le serveur fonctionne, qu'il écoute sur le port ${port} et que le pare-feu ouvre ce port à tous.`,
    en: `Check that the server is running, that it listens on port ${port}, and that the firewall opens this port to everyone.`,
  };
}

/** The line to paste must not contain a host that a shell could run as code. */
function fixHandshake(host: string, port: string): Fix {
  const fix = {
    fr: `Testez le port ${port} avec openssl s_client. Le serveur doit y accepter TLS 1.2 ou 1.3 avec une suite ECDHE et un certificat pour ce nom. Il ne doit pas exiger de certificat client.`,
    en: `Test port ${port} with openssl s_client. The server must accept TLS 1.2 or 1.3 there, with an ECDHE cipher suite and a certificate for this name. It must not require a client certificate.`,
  };
  return isPlainHost(host) ? addLine(fix, `openssl s_client -connect ${host}:${port}`) : fix;
}
