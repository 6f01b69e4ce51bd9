import { TLS_DIRECTIVES, withDirectives } from "./web-server.ts";
import { type Failure, NO_ROUTE } from "../../evidence/exchange.ts";
import { addLine, type Fix } from "../rule.ts";
import { isPlainHost } from "./hosts.ts";

/** The checking machine has no route to the URL's addresses, so the failure says nothing about the site. */
export function isUnrouted(failure: Failure | null): boolean {
  return failure?.code === NO_ROUTE;
}

/** The codes are those of Node, OpenSSL and undici. */
const KNOWN: readonly (readonly [code: RegExp, fix: Fix])[] = [
  [
    /HEADERS?_OVERFLOW/,
    {
      fr: "Réduisez les en-têtes de la réponse à moins de 64 Kio : cherchez les cookies ou la politique (CSP) qui s'y accumulent.",
      en: "Reduce the response's headers to less than 64 KiB: look for cookies or a policy (CSP) that pile up in them.",
    },
  ],
  [
    /^HPE_/,
    {
      fr: "La réponse n'est pas du HTTP valide : cherchez ce qui écrit ses en-têtes (curl -v l'affiche telle quelle).",
      en: "The response is not valid HTTP: look for what writes its headers (curl -v shows the response as it is).",
    },
  ],
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

export function findFix({ phase, code }: Failure, url: URL): Fix {
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
      fr: "Faites arriver toute la page en moins de 4 secondes : cherchez une requête lente dans le journal du serveur, ou un pare-feu qui ignore les paquets (DROP).",
      en: "Deliver the whole page within 4 seconds: look for a slow request in the server's log, or for a firewall that drops packets.",
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
