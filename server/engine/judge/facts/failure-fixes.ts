import type { Text } from "../../../base/language.ts";
import { type Failure, NO_ROUTE } from "../../evidence/failure.ts";

/** True for a failure that says nothing about the site: the checking machine has no route to such addresses. */
export function isUnrouted(failure: Failure | null): boolean {
  return failure?.code === NO_ROUTE;
}

/** Failures with a specific cause, by the codes of Node, OpenSSL and undici. */
const KNOWN: readonly (readonly [code: RegExp, fix: Text])[] = [
  [
    /HEADERS?_OVERFLOW/,
    {
      fr: "Réduisez les en-têtes de la réponse sous 64 Kio : cherchez les cookies ou la politique (CSP) qui s'y accumulent.",
      en: "Bring the response's headers under 64 KiB: look for the cookies or the policy (CSP) that pile up in them.",
    },
  ],
  [
    /^HPE_/,
    {
      fr: "La réponse n'est pas du HTTP valable : cherchez ce qui écrit ses en-têtes (curl -v la montre telle quelle).",
      en: "The response is not valid HTTP: look for what writes its headers (curl -v shows it as it is).",
    },
  ],
  [
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/,
    {
      fr: "Activez TLS 1.2 et 1.3 (nginx : ssl_protocols TLSv1.2 TLSv1.3; — Apache : SSLProtocol -all +TLSv1.2 +TLSv1.3).",
      en: "Turn TLS 1.2 and 1.3 on (nginx: ssl_protocols TLSv1.2 TLSv1.3; Apache: SSLProtocol -all +TLSv1.2 +TLSv1.3).",
    },
  ],
  [
    /CERTIFICATE_REQUIRED/,
    {
      fr: "Le serveur exige un certificat du client : ne le demandez qu'où il le faut (nginx : ssl_verify_client off;).",
      en: "The server demands a client certificate: ask for it only where it is needed (nginx: ssl_verify_client off;).",
    },
  ],
];

/** What to do when a request to `url` got no answer. */
export function findFix({ phase, code }: Failure, url: URL): Text {
  const known = KNOWN.find(([pattern]) => pattern.test(code));
  if (known) return known[1];
  const port = url.port || "443";
  const at = `${url.hostname}:${port}`;
  if (phase === "tls")
    return {
      fr: `Essayez openssl s_client -connect ${at} : le serveur doit parler TLS 1.2 ou 1.3 sur ce port, avec une suite ECDHE et le certificat de ce nom, sans exiger celui du client.`,
      en: `Try openssl s_client -connect ${at}: the server has to speak TLS 1.2 or 1.3 on this port, with an ECDHE suite and this name's certificate, and without demanding the client's.`,
    };
  if (phase === "response")
    return {
      fr: "Le serveur coupe la connexion sans répondre : cherchez dans son journal, et dans celui du proxy, le processus qui s'arrête à cette requête.",
      en: "The server drops the connection without an answer: look in its log, and in the proxy's, for the process that stops at this request.",
    };
  if (phase === "deadline" || phase === "body")
    return {
      fr: "Faites répondre la page entière en moins de 4 secondes : cherchez la requête lente dans le journal du serveur, ou le pare-feu qui jette les paquets.",
      en: "Have the whole page answer within 4 seconds: look for the slow request in the server's log, or for a firewall that drops packets.",
    };
  return {
    fr: `Vérifiez que le serveur tourne, qu'il écoute sur le port ${port} et que le pare-feu l'ouvre à tous.`,
    en: `Check that the server is running, listens on port ${port}, and that the firewall opens it to everyone.`,
  };
}
