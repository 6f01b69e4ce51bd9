import type { Language, Text } from "./language.ts";
import * as z from "zod/mini";
import type { MemberKinds } from "./dictionary.ts";
import { Quota } from "./quota.ts";

/** The body of every error: one sentence in French; `quota` where the month's quota is used up. */
export const ApiError = z.object({
  error: z.string(),
  quota: z.optional(Quota),
});
export type ApiError = z.infer<typeof ApiError>;

/** The header in which every API error carries its code, for programs; the sentence in the body is for people. */
export const ERROR_HEADER = "X-Shipscore-Error";

/** The header in which an error carries the parameters of its sentence, beside its code: a dictionary of RFC 9651. */
export const PARAMETERS_HEADER = "X-Shipscore-Error-Parameters";

interface Kinds {
  integer: number;
  string: string;
}
type Values<P extends MemberKinds> = { readonly [Name in keyof P]: Kinds[P[Name]] };
type Sentence<P extends MemberKinds> = string | ((values: Values<P>) => string);

interface Row<P extends MemberKinds> {
  /** What the sentence says besides its words; nothing else of an error leaves the server. Hosts are in Punycode. */
  readonly parameters?: P;
  /** What happened, and for most what to do. */
  readonly fr: Sentence<P>;
  readonly en: Sentence<P>;
  /** What the command adds to the sentence. */
  readonly advice?: Text;
}
const row = <const P extends MemberKinds = Readonly<Record<string, never>>>(
  status: number,
  texts: Row<P>,
) => ({ status, ...texts });

/** With a plain space between the thousands in French. */
const writeNumber = (number: number, language: Language) =>
  number.toLocaleString(language).replaceAll(/\s/g, " ");

/** The errors of the API, in the order of their statuses. Codes that begin with `url_` are about the URL to be checked. */
export const API_ERRORS = {
  http_unreadable: row(400, {
    fr: "La requête HTTP est illisible.",
    en: "The HTTP request is unreadable.",
  }),
  body_empty: row(400, {
    fr: "Le corps de la requête est vide ; envoyez du JSON avec un champ « url ».",
    en: "The request's body is empty; send JSON with a field “url”.",
  }),
  body_not_json: row(400, {
    fr: "Le corps de la requête n'est pas du JSON valide.",
    en: "The request's body is not valid JSON.",
  }),
  body_too_large: row(400, {
    parameters: { maxBytes: "integer" },
    fr: ({ maxBytes }) => `Le corps de la requête dépasse ${writeNumber(maxBytes, "fr")} octets.`,
    en: ({ maxBytes }) => `The request's body is over ${writeNumber(maxBytes, "en")} bytes.`,
  }),
  body_media_type: row(400, {
    fr: "Le corps de la requête doit être du JSON (Content-Type: application/json).",
    en: "The request's body must be JSON (Content-Type: application/json).",
  }),
  body_length_mismatch: row(400, {
    fr: "La longueur annoncée (Content-Length) ne correspond pas au corps de la requête.",
    en: "The announced length (Content-Length) is not that of the request's body.",
  }),
  body_cut_off: row(400, {
    fr: "Le corps de la requête n'est pas arrivé en entier.",
    en: "The request's body did not arrive whole.",
  }),
  body_is_batch: row(400, {
    fr: "Le corps de la requête doit être un seul message JSON-RPC, et non un tableau. Envoyez une requête par appel.",
    en: "The request's body must be a single JSON-RPC message, not an array. Send a request for each call.",
  }),
  body_not_an_object: row(400, {
    fr: "Le corps de la requête doit être un objet JSON avec un champ « url ».",
    en: "The request's body must be a JSON object with a field “url”.",
  }),
  body_url_invalid: row(400, {
    fr: "Le champ « url » est requis et doit être une chaîne de caractères.",
    en: "The field “url” is required and must be a string.",
  }),
  body_preview_invalid: row(400, {
    fr: "Le champ « preview » doit être true ou false.",
    en: "The field “preview” must be true or false.",
  }),
  body_headers_invalid: row(400, {
    fr: "Le champ « headers » n'accepte que x-vercel-protection-bypass, cf-access-client-id et cf-access-client-secret, chacun avec une valeur ASCII d'au plus 1 024 caractères.",
    en: "The field “headers” takes only x-vercel-protection-bypass, cf-access-client-id and cf-access-client-secret, each with an ASCII value of at most 1,024 characters.",
  }),
  idempotency_key_too_long: row(400, {
    parameters: { maxLength: "integer" },
    fr: ({ maxLength }) =>
      `La clé d'idempotence (Idempotency-Key) dépasse ${maxLength} caractères.`,
    en: ({ maxLength }) => `The Idempotency-Key is over ${maxLength} characters.`,
  }),
  idempotency_key_reused: row(400, {
    fr: "Cette clé d'idempotence (Idempotency-Key) a déjà servi pour une autre requête.",
    en: "This Idempotency-Key was used for another request.",
  }),
  url_unparseable: row(400, {
    fr: "L'adresse n'est pas une URL valide. Donnez une adresse complète, par exemple https://www.example.com/.",
    en: "The address is not a valid URL. Give a complete one, for example https://www.example.com/.",
  }),
  url_not_https: row(400, {
    fr: "L'adresse n'est pas en https. Donnez une adresse qui commence par https://.",
    en: "The address is not an https one. Give an address that begins with https://.",
  }),
  url_userinfo: row(400, {
    fr: "L'adresse contient un identifiant ou un mot de passe. Retirez-les, ainsi que le signe « @ ».",
    en: "The address contains a user name or a password. Remove them, along with the “@”.",
  }),
  url_characters: row(400, {
    fr: "L'adresse contient une espace, une barre oblique inversée ou un caractère invisible. Retirez ce caractère, ou encodez-le (%20 pour une espace).",
    en: "The address contains a space, a backslash or an invisible character. Remove it, or encode it (%20 for a space).",
  }),
  url_too_long: row(400, {
    fr: "L'adresse dépasse 2 048 caractères. Donnez une adresse plus courte.",
    en: "The address is over 2,048 characters long. Give a shorter one.",
  }),
  url_port: row(400, {
    fr: "Le port de l'adresse n'est pas autorisé : seuls 443 et 8443 le sont. Retirez le port, ou donnez l'un de ces deux.",
    en: "The port of the address is not allowed: only 443 and 8443 are. Remove the port, or give one of these two.",
  }),
  url_private: row(400, {
    parameters: { host: "string" },
    fr: ({ host }) =>
      `L'hôte${host && ` « ${host} »`} est privé : son nom est réservé à un usage local, ou l'une de ses adresses n'est pas publique. Donnez l'adresse publique du site, ou demandez à l'exploitant du serveur d'autoriser ce réseau.`,
    en: ({ host }) =>
      `The host${host && ` “${host}”`} is private: its name is reserved for local use, or one of its addresses is not public. Give the site's public address, or ask the operator of the server to allow that network.`,
    advice: {
      fr: "SHIPSCORE_ALLOW_NETWORKS est le réglage du serveur pour cela",
      en: "SHIPSCORE_ALLOW_NETWORKS is the server's setting for that",
    },
  }),
  url_not_found: row(400, {
    parameters: { host: "string" },
    fr: ({ host }) =>
      `L'hôte${host && ` « ${host} »`} est introuvable : le DNS ne lui connaît aucune adresse. Vérifiez l'orthographe du nom, ou publiez-le dans le DNS.`,
    en: ({ host }) =>
      `The host${host && ` “${host}”`} was not found: DNS knows no address for it. Check the spelling of the name, or publish it in DNS.`,
  }),
  url_dns_failure: row(400, {
    parameters: { host: "string" },
    fr: ({ host }) =>
      `Le DNS n'a pas su répondre au sujet de l'hôte${host && ` « ${host} »`}. Vérifiez les serveurs de noms du domaine, puis réessayez.`,
    en: ({ host }) =>
      `DNS could not answer about the host${host && ` “${host}”`}. Check the name servers of the domain, then try again.`,
  }),
  url_dns_timeout: row(400, {
    parameters: { host: "string" },
    fr: ({ host }) =>
      `Le DNS n'a pas répondu à temps au sujet de l'hôte${host && ` « ${host} »`}. Vérifiez les serveurs de noms du domaine, ou réessayez dans un instant.`,
    en: ({ host }) =>
      `DNS did not answer in time about the host${host && ` “${host}”`}. Check the name servers of the domain, or try again in a moment.`,
  }),
  unauthorized: row(401, {
    fr: "Jeton invalide ou révoqué.",
    en: "The token is invalid or revoked.",
    advice: {
      fr: "Mettez un jeton actif de ce serveur dans SHIPSCORE_TOKEN",
      en: "Put an active token of this server in SHIPSCORE_TOKEN",
    },
  }),
  mcp_team_only: row(403, {
    fr: "Le serveur MCP est réservé à l'offre Team.",
    en: "The MCP server is for the plan Team only.",
    advice: {
      fr: "Demandez l'offre Team à l'exploitant du serveur",
      en: "Ask the server's operator for the plan Team",
    },
  }),
  origin_foreign: row(403, {
    fr: "La requête vient d'une page d'un autre site. Envoyez-la depuis une page de ce serveur, ou d'un programme, sans en-tête Origin.",
    en: "The request comes from a page of another site. Send it from a page of this server, or from a program, without an Origin header.",
  }),
  host_foreign: row(403, {
    fr: "Ce serveur ne répond que sur sa propre machine, et la requête demande un autre hôte. Demandez localhost ou 127.0.0.1, ou nommez cet hôte dans SHIPSCORE_PUBLIC_URL.",
    en: "This server answers on its own machine only, and the request asks for another host. Ask for localhost or 127.0.0.1, or name this host in SHIPSCORE_PUBLIC_URL.",
  }),
  project_not_found: row(404, {
    fr: "Projet introuvable.",
    en: "The project was not found.",
    advice: {
      fr: "Lancez « shipscore projects » pour voir les projets de ce jeton",
      en: "Run 'shipscore projects' for the projects that this token sees",
    },
  }),
  route_not_found: row(404, {
    fr: "Route introuvable.",
    en: "There is no such route.",
    advice: {
      fr: "Vérifiez le chemin dans SHIPSCORE_URL : l'API n'y est pas",
      en: "Check the path in SHIPSCORE_URL: the API was not found there",
    },
  }),
  method_not_allowed: row(405, {
    parameters: { allow: "string" },
    fr: ({ allow }) => `Seule la méthode ${allow} est acceptée à cette adresse.`,
    en: ({ allow }) => `This address takes only the method ${allow}.`,
  }),
  http_timeout: row(408, {
    fr: "La requête n'est pas arrivée à temps.",
    en: "The request did not arrive in time.",
  }),
  http_headers_too_long: row(431, {
    fr: "Les en-têtes de la requête sont trop longs.",
    en: "The request's headers are too long.",
  }),
  quota_exceeded: row(429, {
    parameters: { used: "integer", limit: "integer" },
    fr: ({ used, limit }) =>
      `Quota du mois épuisé : ${used} vérifications utilisées sur ${limit}. Il sera renouvelé le 1er du mois prochain (UTC).`,
    en: ({ used, limit }) =>
      `The month's quota is used up: ${used} of ${limit} checks. It resets on the 1st of next month (UTC).`,
    advice: {
      fr: "Attendez jusque-là, ou demandez une offre plus grande",
      en: "Wait until then, or ask for a larger plan",
    },
  }),
  too_many_reads: row(429, {
    fr: "Trop de lectures de ce compte sont en cours. Réessayez dans une seconde.",
    en: "Too many reads of this account are running. Try again in a second.",
  }),
  internal: row(500, {
    fr: "Une erreur interne est survenue. Réessayez ; si elle persiste, transmettez l'identifiant X-Request-Id.",
    en: "The server failed. Try again; if it fails again, give its operator the X-Request-Id.",
  }),
  busy: row(503, {
    fr: "Trop de vérifications sont en cours. Réessayez dans quelques secondes.",
    en: "Too many checks are running. Try again in a few seconds.",
  }),
  unavailable: row(503, {
    fr: "La base de données ne répond pas. Réessayez dans un instant.",
    en: "The database does not answer. Try again in a moment.",
  }),
  shutting_down: row(503, {
    fr: "Le service s'arrête. Réessayez dans quelques secondes.",
    en: "The server is stopping. Try again in a few seconds.",
  }),
  idempotency_key_running: row(503, {
    fr: "La première requête de cette clé d'idempotence est encore en cours. Réessayez dans quelques secondes.",
    en: "The first request with this Idempotency-Key is still running. Try again in a few seconds.",
  }),
  too_many_refused: row(503, {
    fr: "Trop de vérifications de ce compte ont été refusées depuis une heure. Corrigez les adresses, puis réessayez plus tard.",
    en: "Too many checks of this account were refused within an hour. Correct the addresses, then try again later.",
  }),
  check_interrupted: row(503, {
    fr: "La vérification n'a pas pu être terminée. Réessayez : aucun crédit n'a été consommé.",
    en: "The check could not be finished. Try again: it was not counted.",
  }),
  check_stopped: row(503, {
    fr: "La vérification de cette page a dû être arrêtée, car elle perturbait le serveur. Aucun crédit n'a été consommé ; si cela se reproduit dans l'heure, un crédit le sera.",
    en: "The check of this page had to be stopped, since it disturbed the server. It was not counted; if this happens again within the hour, it will be.",
    advice: { fr: "Réessayez dans un instant", en: "Try again in a moment" },
  }),
};

const UNITS = [
  { seconds: 3600, fr: "heure", en: "hour" },
  { seconds: 60, fr: "minute", en: "minute" },
  { seconds: 1, fr: "seconde", en: "second" },
] as const;

/** A time rounded up to whole hours, minutes or seconds: from two hours on, hours. */
function writeTime(seconds: number, language: Language): string {
  const unit = UNITS.find((one) => seconds >= 2 * one.seconds) ?? UNITS[2];
  const count = Math.ceil(seconds / unit.seconds);
  return `${count} ${unit[language]}${count > 1 ? "s" : ""}`;
}

/** What a visitor has done too often, by the bound. */
const VISITOR_BOUNDS: Readonly<Record<string, (limit: number) => Text>> = {
  hour: (limit) => ({
    fr: `Vous avez lancé ${limit} analyses au cours de la dernière heure`,
    en: `You have started ${limit} scans in the last hour`,
  }),
  day: (limit) => ({
    fr: `Vous avez lancé ${limit} analyses au cours des dernières 24 heures`,
    en: `You have started ${limit} scans in the last 24 hours`,
  }),
  owners: (limit) => ({
    fr: `Vous avez demandé l'analyse de ${limit} sites au cours de la dernière heure`,
    en: `You have asked for scans of ${limit} sites in the last hour`,
  }),
  names: (limit) => ({
    fr: `Le serveur a cherché ${limit} noms d'hôte pour vous au cours de la dernière heure`,
    en: `The server has looked up ${limit} host names for you in the last hour`,
  }),
};

/** What the public scan refuses, besides what the API does. */
export const SCAN_ERRORS = {
  scan_refused_by_owner: row(403, {
    parameters: { host: "string", file: "string" },
    fr: ({ host, file }) =>
      `Le propriétaire de « ${host} » refuse les analyses publiques de son site, dans ${file}. Modifiez ce fichier si le site est le vôtre, ou vérifiez la page depuis un compte, que ce refus ne concerne pas.`,
    en: ({ host, file }) =>
      `The owner of “${host}” refuses public scans of the site, in ${file}. Change this file if the site is yours, or check the page from an account, which the refusal does not concern.`,
  }),
  scan_key_wrong: row(403, {
    fr: "Ce rapport ne peut être supprimé que par qui a lancé l'analyse. Ouvrez-le dans le même navigateur, ou par le lien de suppression qu'il a montré.",
    en: "This report can only be deleted by whoever started the scan. Open it in the same browser, or by the link to delete it that was shown there.",
  }),
  scan_not_found: row(404, {
    fr: "Cette analyse n'existe pas ou n'existe plus. Lancez-en une nouvelle.",
    en: "This scan does not exist, or not any more. Start a new one.",
  }),
  scan_too_soon: row(429, {
    parameters: { retryAfterSeconds: "integer" },
    fr: ({ retryAfterSeconds }) =>
      `Cette page a été analysée il y a moins d'une minute. Relancez l'analyse dans ${writeTime(retryAfterSeconds, "fr")}.`,
    en: ({ retryAfterSeconds }) =>
      `This page was scanned less than a minute ago. Scan it again in ${writeTime(retryAfterSeconds, "en")}.`,
  }),
  scan_visitor_bound: row(429, {
    parameters: { bound: "string", limit: "integer", retryAfterSeconds: "integer" },
    fr: ({ bound, limit, retryAfterSeconds }) =>
      bound === "at_once"
        ? `Vous avez déjà ${limit} analyses en cours ou en attente, le maximum. Réessayez quand l'une d'elles sera terminée.`
        : `${VISITOR_BOUNDS[bound]?.(limit).fr}, le maximum. Réessayez dans ${writeTime(retryAfterSeconds, "fr")}.`,
    en: ({ bound, limit, retryAfterSeconds }) =>
      bound === "at_once"
        ? `You already have ${limit} scans running or waiting, the most at a time. Try again when one of them has ended.`
        : `${VISITOR_BOUNDS[bound]?.(limit).en}, the most allowed. Try again in ${writeTime(retryAfterSeconds, "en")}.`,
  }),
  scan_host_bound: row(429, {
    parameters: { host: "string", limit: "integer", retryAfterSeconds: "integer" },
    fr: ({ host, limit, retryAfterSeconds }) =>
      `L'hôte « ${host} » a été analysé ${limit} fois au cours de la dernière heure, le maximum. Réessayez dans ${writeTime(retryAfterSeconds, "fr")}.`,
    en: ({ host, limit, retryAfterSeconds }) =>
      `The host “${host}” has been scanned ${limit} times in the last hour, the most allowed. Try again in ${writeTime(retryAfterSeconds, "en")}.`,
  }),
  scan_queue_full: row(503, {
    parameters: { limit: "integer", retryAfterSeconds: "integer" },
    fr: ({ limit, retryAfterSeconds }) =>
      `${limit} analyses attendent déjà leur tour, le maximum. Réessayez dans ${writeTime(retryAfterSeconds, "fr")}.`,
    en: ({ limit, retryAfterSeconds }) =>
      `${limit} scans are waiting for their turn already, the most allowed. Try again in ${writeTime(retryAfterSeconds, "en")}.`,
  }),
};

/** What a deployment hook refuses, besides what the API does. */
const HOOK_ERRORS = {
  hook_refused: row(401, {
    fr: "Ce webhook n'existe pas, ou la signature de la requête manque, est fausse ou trop ancienne. Vérifiez l'adresse et le secret chez l'expéditeur.",
    en: "There is no such webhook, or the request's signature is missing, wrong or too old. Check the address and the secret at the sender.",
  }),
  hook_body_too_large: row(413, {
    parameters: { maxBytes: "integer" },
    fr: ({ maxBytes }) => `Le corps de la requête dépasse ${writeNumber(maxBytes, "fr")} octets.`,
    en: ({ maxBytes }) => `The request's body is over ${writeNumber(maxBytes, "en")} bytes.`,
  }),
  too_many_ships: row(429, {
    parameters: { limit: "integer", retryAfterSeconds: "integer" },
    fr: ({ limit, retryAfterSeconds }) =>
      `Ce projet a déjà ${limit} déploiements dans l'heure, le maximum. Renvoyez celui-ci dans ${retryAfterSeconds} s.`,
    en: ({ limit, retryAfterSeconds }) =>
      `This project has ${limit} deployments within the hour already, the most allowed. Send this one again in ${retryAfterSeconds} s.`,
  }),
};

/** All that crosses the wire. */
export const WIRE_ERRORS = { ...API_ERRORS, ...SCAN_ERRORS, ...HOOK_ERRORS };

export type ApiErrorCode = keyof typeof API_ERRORS;
export type WireErrorCode = keyof typeof WIRE_ERRORS;
export type WireParameters = {
  [Code in WireErrorCode]: (typeof WIRE_ERRORS)[Code] extends Row<infer P> ? Values<P> : never;
};

export const API_ERROR_CODES = Object.keys(API_ERRORS) as ApiErrorCode[];

export const isApiErrorCode = (code: string): code is ApiErrorCode =>
  Object.hasOwn(API_ERRORS, code);

export const isWireErrorCode = (code: string): code is WireErrorCode =>
  Object.hasOwn(WIRE_ERRORS, code);

/**
 * The sentence of an error, in both languages.
 * @param values of the parameters in its row
 */
export function sayError(code: WireErrorCode, values: Readonly<Record<string, unknown>>): Text {
  const { fr, en } = WIRE_ERRORS[code] as Row<MemberKinds>;
  const say = (sentence: typeof fr) =>
    typeof sentence === "function" ? sentence(values as Values<MemberKinds>) : sentence;
  return { fr: say(fr), en: say(en) };
}

/** The parameters of a code's sentence. */
export const parametersOf = (code: WireErrorCode): MemberKinds =>
  (WIRE_ERRORS[code] as Row<MemberKinds>).parameters ?? {};
