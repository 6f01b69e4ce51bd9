import type { ApiErrorCode } from "./error-codes.ts";
import type { ParametersOf } from "./error-parameters.ts";

type Words = Readonly<Record<"fr" | "en", string>>;
type Sentence<Code extends string> = Words | ((parameters: ParametersOf<Code>) => Words);

/** With a plain space between the thousands, as French has it, or a comma. */
const writeNumber = (number: number): Words => ({
  fr: number.toLocaleString("fr").replaceAll(/\s/g, " "),
  en: number.toLocaleString("en"),
});

/** A host as the sentences name it; empty for none. */
const nameHost = (host: string): Words =>
  host === "" ? { fr: "", en: "" } : { fr: ` « ${host} »`, en: ` “${host}”` };

/** What each error of the API says, in one or two sentences: what happened, and for most what to do. */
const SENTENCES: { readonly [Code in ApiErrorCode]: Sentence<Code> } = {
  http_unreadable: {
    fr: "La requête HTTP est illisible.",
    en: "The HTTP request is unreadable.",
  },
  body_empty: {
    fr: "Le corps de la requête est vide ; envoyez du JSON avec un champ « url ».",
    en: "The request's body is empty; send JSON with a field “url”.",
  },
  body_not_json: {
    fr: "Le corps de la requête n'est pas du JSON valide.",
    en: "The request's body is not valid JSON.",
  },
  body_too_large: ({ maxBytes }) => ({
    fr: `Le corps de la requête dépasse ${writeNumber(maxBytes).fr} octets.`,
    en: `The request's body is over ${writeNumber(maxBytes).en} bytes.`,
  }),
  body_media_type: {
    fr: "Le corps de la requête doit être du JSON (Content-Type: application/json).",
    en: "The request's body must be JSON (Content-Type: application/json).",
  },
  body_length_mismatch: {
    fr: "La longueur annoncée (Content-Length) ne correspond pas au corps de la requête.",
    en: "The announced length (Content-Length) is not that of the request's body.",
  },
  body_cut_off: {
    fr: "Le corps de la requête n'est pas arrivé en entier.",
    en: "The request's body did not arrive whole.",
  },
  body_is_batch: {
    fr: "Le corps de la requête doit être un seul message JSON-RPC, et non un tableau. Envoyez une requête par appel.",
    en: "The request's body must be a single JSON-RPC message, not an array. Send a request for each call.",
  },
  body_not_an_object: {
    fr: "Le corps de la requête doit être un objet JSON avec un champ « url ».",
    en: "The request's body must be a JSON object with a field “url”.",
  },
  body_url_invalid: {
    fr: "Le champ « url » est requis et doit être une chaîne de caractères.",
    en: "The field “url” is required and must be a string.",
  },
  body_preview_invalid: {
    fr: "Le champ « preview » doit être true ou false.",
    en: "The field “preview” must be true or false.",
  },
  body_headers_invalid: {
    fr: "Le champ « headers » n'accepte que x-vercel-protection-bypass, cf-access-client-id et cf-access-client-secret, chacun avec une valeur ASCII d'au plus 1 024 caractères.",
    en: "The field “headers” takes only x-vercel-protection-bypass, cf-access-client-id and cf-access-client-secret, each with an ASCII value of at most 1,024 characters.",
  },
  idempotency_key_too_long: ({ maxLength }) => ({
    fr: `La clé d'idempotence (Idempotency-Key) dépasse ${maxLength} caractères.`,
    en: `The Idempotency-Key is over ${maxLength} characters.`,
  }),
  idempotency_key_reused: {
    fr: "Cette clé d'idempotence (Idempotency-Key) a déjà servi pour une autre requête.",
    en: "This Idempotency-Key was used for another request.",
  },
  url_unparseable: {
    fr: "L'adresse n'est pas une URL valide. Donnez une adresse complète, par exemple https://www.example.com/.",
    en: "The address is not a valid URL. Give a complete one, for example https://www.example.com/.",
  },
  url_not_https: {
    fr: "L'adresse n'est pas en https. Donnez une adresse qui commence par https://.",
    en: "The address is not an https one. Give an address that begins with https://.",
  },
  url_userinfo: {
    fr: "L'adresse contient un identifiant ou un mot de passe. Retirez-les, ainsi que le signe « @ ».",
    en: "The address contains a user name or a password. Remove them, along with the “@”.",
  },
  url_characters: {
    fr: "L'adresse contient une espace, une barre oblique inversée ou un caractère invisible. Retirez ce caractère, ou encodez-le (%20 pour une espace).",
    en: "The address contains a space, a backslash or an invisible character. Remove it, or encode it (%20 for a space).",
  },
  url_too_long: {
    fr: "L'adresse dépasse 2 048 caractères. Donnez une adresse plus courte.",
    en: "The address is over 2,048 characters long. Give a shorter one.",
  },
  url_port: {
    fr: "Le port de l'adresse n'est pas autorisé : seuls 443 et 8443 le sont. Retirez le port, ou donnez l'un de ces deux.",
    en: "The port of the address is not allowed: only 443 and 8443 are. Remove the port, or give one of these two.",
  },
  url_private: ({ host }) => ({
    fr: `L'hôte${nameHost(host).fr} est privé : son nom est réservé à un usage local, ou l'une de ses adresses n'est pas publique. Donnez l'adresse publique du site, ou demandez à l'exploitant du serveur d'autoriser ce réseau.`,
    en: `The host${nameHost(host).en} is private: its name is reserved for local use, or one of its addresses is not public. Give the site's public address, or ask the operator of the server to allow that network.`,
  }),
  url_not_found: ({ host }) => ({
    fr: `L'hôte${nameHost(host).fr} est introuvable : le DNS ne lui connaît aucune adresse. Vérifiez l'orthographe du nom, ou publiez-le dans le DNS.`,
    en: `The host${nameHost(host).en} was not found: DNS knows no address for it. Check the spelling of the name, or publish it in DNS.`,
  }),
  url_dns_failure: ({ host }) => ({
    fr: `Le DNS n'a pas su répondre au sujet de l'hôte${nameHost(host).fr}. Vérifiez les serveurs de noms du domaine, puis réessayez.`,
    en: `DNS could not answer about the host${nameHost(host).en}. Check the name servers of the domain, then try again.`,
  }),
  url_dns_timeout: ({ host }) => ({
    fr: `Le DNS n'a pas répondu à temps au sujet de l'hôte${nameHost(host).fr}. Vérifiez les serveurs de noms du domaine, ou réessayez dans un instant.`,
    en: `DNS did not answer in time about the host${nameHost(host).en}. Check the name servers of the domain, or try again in a moment.`,
  }),
  unauthorized: { fr: "Jeton invalide ou révoqué.", en: "The token is invalid or revoked." },
  mcp_team_only: {
    fr: "Le serveur MCP est réservé à l'offre Team.",
    en: "The MCP server is for the plan Team only.",
  },
  origin_foreign: {
    fr: "La requête vient d'une page d'un autre site. Envoyez-la depuis une page de ce serveur, ou d'un programme, sans en-tête Origin.",
    en: "The request comes from a page of another site. Send it from a page of this server, or from a program, without an Origin header.",
  },
  host_foreign: {
    fr: "Ce serveur ne répond que sur sa propre machine, et la requête demande un autre hôte. Demandez localhost ou 127.0.0.1, ou nommez cet hôte dans SHIPSCORE_PUBLIC_URL.",
    en: "This server answers on its own machine only, and the request asks for another host. Ask for localhost or 127.0.0.1, or name this host in SHIPSCORE_PUBLIC_URL.",
  },
  project_not_found: { fr: "Projet introuvable.", en: "The project was not found." },
  route_not_found: { fr: "Route introuvable.", en: "There is no such route." },
  method_not_allowed: ({ allow }) => ({
    fr: `Seule la méthode ${allow} est acceptée à cette adresse.`,
    en: `This address takes only the method ${allow}.`,
  }),
  http_timeout: {
    fr: "La requête n'est pas arrivée à temps.",
    en: "The request did not arrive in time.",
  },
  http_headers_too_long: {
    fr: "Les en-têtes de la requête sont trop longs.",
    en: "The request's headers are too long.",
  },
  quota_exceeded: ({ used, limit }) => ({
    fr: `Quota du mois épuisé : ${used} vérifications utilisées sur ${limit}. Il sera renouvelé le 1er du mois prochain (UTC).`,
    en: `The month's quota is used up: ${used} of ${limit} checks. It resets on the 1st of next month (UTC).`,
  }),
  too_many_reads: {
    fr: "Trop de lectures de ce compte sont en cours. Réessayez dans une seconde.",
    en: "Too many reads of this account are running. Try again in a second.",
  },
  internal: {
    fr: "Une erreur interne est survenue. Réessayez ; si elle persiste, transmettez l'identifiant X-Request-Id.",
    en: "The server failed. Try again; if it fails again, give its operator the X-Request-Id.",
  },
  busy: {
    fr: "Trop de vérifications sont en cours. Réessayez dans quelques secondes.",
    en: "Too many checks are running. Try again in a few seconds.",
  },
  unavailable: {
    fr: "La base de données ne répond pas. Réessayez dans un instant.",
    en: "The database does not answer. Try again in a moment.",
  },
  shutting_down: {
    fr: "Le service s'arrête. Réessayez dans quelques secondes.",
    en: "The server is stopping. Try again in a few seconds.",
  },
  idempotency_key_running: {
    fr: "La première requête de cette clé d'idempotence est encore en cours. Réessayez dans quelques secondes.",
    en: "The first request with this Idempotency-Key is still running. Try again in a few seconds.",
  },
  too_many_refused: {
    fr: "Trop de vérifications de ce compte ont été refusées depuis une heure. Corrigez les adresses, puis réessayez plus tard.",
    en: "Too many checks of this account were refused within an hour. Correct the addresses, then try again later.",
  },
  check_interrupted: {
    fr: "La vérification n'a pas pu être terminée. Réessayez : aucun crédit n'a été consommé.",
    en: "The check could not be finished. Try again: it was not counted.",
  },
  check_stopped: {
    fr: "La vérification de cette page a dû être arrêtée, car elle perturbait le serveur. Aucun crédit n'a été consommé ; si cela se reproduit dans l'heure, un crédit le sera.",
    en: "The check of this page had to be stopped, since it disturbed the server. It was not counted; if this happens again within the hour, it will be.",
  },
};

/**
 * The sentence of an error of the API, in both languages.
 * @param parameters those that `ERROR_PARAMETERS` lists for the code
 */
export function sayError(code: ApiErrorCode, parameters: Readonly<Record<string, unknown>>): Words {
  const sentence = SENTENCES[code] as Words | ((told: typeof parameters) => Words);
  return typeof sentence === "function" ? sentence(parameters) : sentence;
}
