import type { Language, Text } from "./language.ts";
import * as z from "zod/mini";
import type { MemberKinds } from "./dictionary.ts";
import { describeCount, describeQuantity } from "./report/words.ts";
import { Quota } from "./quota.ts";

/** `error` is one sentence in French; `quota` is set where the month's quota is used up. */
export const ApiError = z.object({
  error: z.string(),
  quota: z.optional(Quota),
});
export type ApiError = z.infer<typeof ApiError>;

/** For programs. The sentence in the body is for people. */
export const ERROR_HEADER = "X-Shipscore-Error";

/** A dictionary of RFC 9651. */
export const PARAMETERS_HEADER = "X-Shipscore-Error-Parameters";

interface Kinds {
  integer: number;
  string: string;
}
type Values<P extends MemberKinds> = { readonly [Name in keyof P]: Kinds[P[Name]] };
type Sentence<P extends MemberKinds> = string | ((values: Values<P>) => string);

interface Row<P extends MemberKinds> {
  /** The only values of an error that leave the server. Hosts are in Punycode. */
  readonly parameters?: P;
  readonly fr: Sentence<P>;
  readonly en: Sentence<P>;
  /** The command prints this after the sentence. */
  readonly advice?: Text;
}
const row = <const P extends MemberKinds = Readonly<Record<string, never>>>(
  status: number,
  texts: Row<P>,
) => ({ status, ...texts });

/** In the order of their statuses. Codes that begin with `url_` are about the URL to be checked. */
export const API_ERRORS = {
  http_unreadable: row(400, {
    fr: "La requête HTTP est illisible.",
    en: "The HTTP request could not be parsed.",
  }),
  body_empty: row(400, {
    fr: "Le corps de la requête est vide ; envoyez du JSON avec un champ « url ».",
    en: "The request body is empty. Send JSON with a “url” field.",
  }),
  body_not_json: row(400, {
    fr: "Le corps de la requête n'est pas du JSON valide.",
    en: "The request body is not valid JSON.",
  }),
  body_too_large: row(400, {
    parameters: { maxBytes: "integer" },
    fr: ({ maxBytes }) => `Le corps de la requête dépasse ${describeCount(maxBytes, "fr")} octets.`,
    en: ({ maxBytes }) => `The request body exceeds ${describeCount(maxBytes, "en")} bytes.`,
  }),
  body_media_type: row(400, {
    fr: "Le corps de la requête doit être du JSON (Content-Type: application/json).",
    en: "The request body must be JSON (Content-Type: application/json).",
  }),
  body_length_mismatch: row(400, {
    fr: "La longueur annoncée (Content-Length) ne correspond pas à celle du corps de la requête.",
    en: "The Content-Length header does not match the length of the request body.",
  }),
  body_cut_off: row(400, {
    fr: "Le corps de la requête est incomplet.",
    en: "The request body is incomplete.",
  }),
  body_is_batch: row(400, {
    fr: "Le corps de la requête doit être un seul message JSON-RPC, et non un tableau. Envoyez une requête par appel.",
    en: "The request body must be a single JSON-RPC message, not an array. Send one request per call.",
  }),
  body_not_an_object: row(400, {
    fr: "Le corps de la requête doit être un objet JSON avec un champ « url ».",
    en: "The request body must be a JSON object with a “url” field.",
  }),
  body_url_invalid: row(400, {
    fr: "Le champ « url » est requis et doit être une chaîne de caractères.",
    en: "The “url” field is required and must be a string.",
  }),
  body_preview_invalid: row(400, {
    fr: "Le champ « preview » doit être true ou false.",
    en: "The “preview” field must be true or false.",
  }),
  body_headers_invalid: row(400, {
    fr: "Le champ « headers » n'accepte que x-vercel-protection-bypass, cf-access-client-id et cf-access-client-secret, chacun avec une valeur ASCII d'au plus 1 024 caractères.",
    en: "The “headers” field accepts only x-vercel-protection-bypass, cf-access-client-id and cf-access-client-secret, each with an ASCII value of at most 1,024 characters.",
  }),
  idempotency_key_too_long: row(400, {
    parameters: { maxLength: "integer" },
    fr: ({ maxLength }) =>
      `La clé d'idempotence (Idempotency-Key) dépasse ${maxLength} caractères.`,
    en: ({ maxLength }) => `The Idempotency-Key exceeds ${maxLength} characters.`,
  }),
  idempotency_key_reused: row(400, {
    fr: "Cette clé d'idempotence (Idempotency-Key) a déjà servi pour une autre requête.",
    en: "This Idempotency-Key has already been used for a different request.",
  }),
  url_unparseable: row(400, {
    fr: "L'URL n'est pas valide. Indiquez une URL complète, par exemple https://www.example.com/.",
    en: "The URL is not valid. Use a complete one, for example https://www.example.com/.",
  }),
  url_not_https: row(400, {
    fr: "L'URL n'est pas en https. Indiquez une URL qui commence par https://.",
    en: "The URL does not use https. Use one that begins with https://.",
  }),
  url_userinfo: row(400, {
    fr: "L'URL contient un identifiant ou un mot de passe. Retirez-les, ainsi que le « @ ».",
    en: "The URL contains a user name or a password. Remove them, along with the “@”.",
  }),
  url_characters: row(400, {
    fr: "L'URL contient un espace, une barre oblique inverse ou un caractère invisible. Retirez ce caractère, ou encodez-le (%20 pour un espace).",
    en: "The URL contains a space, a backslash or an invisible character. Remove it, or encode it (%20 for a space).",
  }),
  url_too_long: row(400, {
    fr: "L'URL dépasse 2 048 caractères. Indiquez une URL plus courte.",
    en: "The URL is over 2,048 characters long. Use a shorter one.",
  }),
  url_port: row(400, {
    fr: "Ce port n'est pas autorisé : seuls les ports 443 et 8443 le sont. Retirez le port de l'URL, ou utilisez l'un de ces deux ports.",
    en: "This port is not allowed: only 443 and 8443 are. Remove the port from the URL, or use one of these two.",
  }),
  url_private: row(400, {
    parameters: { host: "string" },
    fr: ({ host }) =>
      `L'hôte${host && ` « ${host} »`} est privé : son nom est réservé à un usage local, ou l'une de ses adresses IP n'est pas publique. Indiquez l'URL publique du site, ou demandez à l'administrateur du serveur d'autoriser le réseau de cet hôte.`,
    en: ({ host }) =>
      `The host${host && ` “${host}”`} is private: its name is reserved for local use, or one of its IP addresses is not public. Use the site's public URL, or ask the server's administrator to allow the host's network.`,
    advice: {
      fr: "Le réglage du serveur s'appelle SHIPSCORE_ALLOW_NETWORKS",
      en: "The server's setting is SHIPSCORE_ALLOW_NETWORKS",
    },
  }),
  url_not_found: row(400, {
    parameters: { host: "string" },
    fr: ({ host }) =>
      `L'hôte${host && ` « ${host} »`} est introuvable : aucun enregistrement DNS (A ou AAAA) ne lui correspond. Vérifiez l'orthographe du nom, ou créez cet enregistrement.`,
    en: ({ host }) =>
      `The host${host && ` “${host}”`} was not found: it has no DNS record (A or AAAA). Check the spelling of the name, or create the record.`,
  }),
  url_dns_failure: row(400, {
    parameters: { host: "string" },
    fr: ({ host }) =>
      `La résolution DNS de l'hôte${host && ` « ${host} »`} a échoué. Vérifiez les serveurs de noms du domaine, puis réessayez.`,
    en: ({ host }) =>
      `The DNS lookup of the host${host && ` “${host}”`} failed. Check the domain's name servers, then try again.`,
  }),
  url_dns_timeout: row(400, {
    parameters: { host: "string" },
    fr: ({ host }) =>
      `La résolution DNS de l'hôte${host && ` « ${host} »`} n'a pas abouti à temps. Vérifiez les serveurs de noms du domaine, ou réessayez dans un instant.`,
    en: ({ host }) =>
      `The DNS lookup of the host${host && ` “${host}”`} timed out. Check the domain's name servers, or try again in a moment.`,
  }),
  unauthorized: row(401, {
    fr: "Jeton invalide ou révoqué.",
    en: "The token is invalid or revoked.",
    advice: {
      fr: "Placez un jeton actif de ce serveur dans SHIPSCORE_TOKEN",
      en: "Set SHIPSCORE_TOKEN to an active token of this server",
    },
  }),
  mcp_team_only: row(403, {
    fr: "Le serveur MCP est réservé à l'offre Team.",
    en: "The MCP server is available on the Team plan only.",
    advice: {
      fr: "Demandez l'offre Team à l'administrateur du serveur",
      en: "Ask the server's administrator for the Team plan",
    },
  }),
  origin_foreign: row(403, {
    fr: "La requête provient d'une page d'un autre site. Envoyez-la depuis une page de ce serveur, ou depuis un programme qui n'envoie pas d'en-tête Origin.",
    en: "The request comes from a page of another site. Send it from a page of this server, or from a program that sends no Origin header.",
  }),
  host_foreign: row(403, {
    fr: "Ce serveur ne répond que sur sa propre machine, et la requête vise un autre hôte. Utilisez localhost ou 127.0.0.1, ou indiquez dans SHIPSCORE_PUBLIC_URL une URL avec l'hôte demandé, par exemple https://shipscore.example.com.",
    en: "This server responds on its own machine only, and the request is for another host. Use localhost or 127.0.0.1, or set SHIPSCORE_PUBLIC_URL to a URL with the requested host, such as https://shipscore.example.com.",
  }),
  project_not_found: row(404, {
    fr: "Projet introuvable.",
    en: "Project not found.",
    advice: {
      fr: "Lancez « shipscore projects » pour lister les projets de ce jeton",
      en: "Run 'shipscore projects' to list the projects of this token",
    },
  }),
  route_not_found: row(404, {
    fr: "Route introuvable.",
    en: "Route not found.",
    advice: {
      fr: "Vérifiez le chemin de SHIPSCORE_URL : l'API ne s'y trouve pas",
      en: "Check the path of SHIPSCORE_URL: the API is not there",
    },
  }),
  method_not_allowed: row(405, {
    parameters: { allow: "string" },
    fr: ({ allow }) => `Cette URL n'accepte que la méthode ${allow}.`,
    en: ({ allow }) => `This URL accepts only the ${allow} method.`,
  }),
  http_timeout: row(408, {
    fr: "La requête n'est pas arrivée à temps.",
    en: "The request did not arrive in time.",
  }),
  http_headers_too_long: row(431, {
    fr: "Les en-têtes de la requête sont trop longs.",
    en: "The request headers are too long.",
  }),
  quota_exceeded: row(429, {
    parameters: { used: "integer", limit: "integer" },
    fr: ({ used, limit }) =>
      `Quota mensuel de vérifications épuisé (${used} sur ${limit}). Il sera renouvelé le 1er du mois prochain (UTC).`,
    en: ({ used, limit }) =>
      `The monthly quota of checks is used up (${used} of ${limit}). It resets on the 1st of next month (UTC).`,
    advice: {
      fr: "Attendez cette date, ou demandez une offre supérieure",
      en: "Wait until then, or ask for a larger plan",
    },
  }),
  too_many_reads: row(429, {
    fr: "Ce compte a trop de lectures en cours. Réessayez dans une seconde.",
    en: "This account has too many reads in progress. Try again in a second.",
  }),
  internal: row(500, {
    fr: "Une erreur interne est survenue. Réessayez ; si elle persiste, transmettez l'identifiant X-Request-Id à l'administrateur du serveur.",
    en: "Internal error. Try again; if the error persists, send the X-Request-Id to the server's administrator.",
  }),
  busy: row(503, {
    fr: "Trop de vérifications sont en cours. Réessayez dans quelques secondes.",
    en: "Too many checks are running. Try again in a few seconds.",
  }),
  unavailable: row(503, {
    fr: "La base de données ne répond pas. Réessayez dans un instant.",
    en: "The database is not responding. Try again in a moment.",
  }),
  shutting_down: row(503, {
    fr: "Le serveur s'arrête. Réessayez dans quelques secondes.",
    en: "The server is stopping. Try again in a few seconds.",
  }),
  idempotency_key_running: row(503, {
    fr: "La première requête envoyée avec cette clé d'idempotence est encore en cours. Réessayez dans quelques secondes.",
    en: "The first request with this Idempotency-Key is still running. Try again in a few seconds.",
  }),
  too_many_refused: row(503, {
    fr: "Trop de vérifications de ce compte ont été refusées depuis une heure. Corrigez les URL, puis réessayez plus tard.",
    en: "Too many checks of this account were refused in the last hour. Correct the URLs, then try again later.",
  }),
  check_interrupted: row(503, {
    fr: "La vérification n'a pas pu être terminée. Réessayez : elle n'a pas été décomptée de votre quota.",
    en: "The check could not be finished. Try again: it did not count against your quota.",
  }),
  check_stopped: row(503, {
    fr: "La vérification de cette page a été interrompue, car elle perturbait le serveur. Elle n'a pas été décomptée de votre quota ; si cela se reproduit dans l'heure, la vérification sera décomptée.",
    en: "The check of this page was stopped because it disrupted the server. It did not count against your quota; if this happens again within the hour, it will.",
    advice: { fr: "Réessayez dans un instant", en: "Try again in a moment" },
  }),
};

const UNITS = [
  { seconds: 3600, noun: { fr: ["heure", "heures"], en: ["hour", "hours"] } },
  { seconds: 60, noun: { fr: ["minute", "minutes"], en: ["minute", "minutes"] } },
  { seconds: 1, noun: { fr: ["seconde", "secondes"], en: ["second", "seconds"] } },
] as const;

function writeTime(seconds: number, language: Language): string {
  const unit = UNITS.find((one) => seconds >= 2 * one.seconds) ?? UNITS[2];
  return describeQuantity(Math.ceil(seconds / unit.seconds), unit.noun, language);
}

/** By the name of the limit that the visitor exceeded. */
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
    en: `You have scanned ${limit} sites in the last hour`,
  }),
  names: (limit) => ({
    fr: `Le serveur a résolu ${limit} noms d'hôte pour vous au cours de la dernière heure`,
    en: `The server has looked up ${limit} host names for you in the last hour`,
  }),
};

export const SCAN_ERRORS = {
  scan_refused_by_owner: row(403, {
    parameters: { host: "string", file: "string" },
    fr: ({ host, file }) =>
      `Le propriétaire de « ${host} » refuse, dans ${file}, les analyses publiques de son site. Modifiez ce fichier si le site est le vôtre, ou vérifiez la page depuis un compte : ce refus ne s'y applique pas.`,
    en: ({ host, file }) =>
      `The owner of “${host}” refuses public scans of the site (see ${file}). Change this file if the site is yours, or check the page from an account, which this refusal does not affect.`,
  }),
  scan_key_wrong: row(403, {
    fr: "Seule la personne qui a lancé l'analyse peut supprimer ce rapport. Ouvrez-le dans le même navigateur, ou avec le lien de suppression affiché au lancement.",
    en: "Only the person who started the scan can delete this report. Open it in the same browser, or with the deletion link that was shown there.",
  }),
  scan_not_found: row(404, {
    fr: "Cette analyse n'existe pas ou n'existe plus. Lancez-en une nouvelle.",
    en: "This scan does not exist or no longer exists. Start a new one.",
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
        ? `Vous avez déjà ${limit} analyses en cours ou en attente : c'est le maximum. Réessayez quand l'une d'elles sera terminée.`
        : `${VISITOR_BOUNDS[bound]?.(limit).fr} : c'est le maximum. Réessayez dans ${writeTime(retryAfterSeconds, "fr")}.`,
    en: ({ bound, limit, retryAfterSeconds }) =>
      bound === "at_once"
        ? `You already have ${limit} scans running or waiting, which is the limit. Try again when one of them has finished.`
        : `${VISITOR_BOUNDS[bound]?.(limit).en}, which is the limit. Try again in ${writeTime(retryAfterSeconds, "en")}.`,
  }),
  scan_host_bound: row(429, {
    parameters: { host: "string", limit: "integer", retryAfterSeconds: "integer" },
    fr: ({ host, limit, retryAfterSeconds }) =>
      `L'hôte « ${host} » a été analysé ${limit} fois au cours de la dernière heure : c'est le maximum. Réessayez dans ${writeTime(retryAfterSeconds, "fr")}.`,
    en: ({ host, limit, retryAfterSeconds }) =>
      `The host “${host}” has been scanned ${limit} times in the last hour, which is the limit. Try again in ${writeTime(retryAfterSeconds, "en")}.`,
  }),
  scan_queue_full: row(503, {
    parameters: { limit: "integer", retryAfterSeconds: "integer" },
    fr: ({ limit, retryAfterSeconds }) =>
      `${limit} analyses attendent déjà leur tour : c'est le maximum. Réessayez dans ${writeTime(retryAfterSeconds, "fr")}.`,
    en: ({ limit, retryAfterSeconds }) =>
      `${limit} scans are already waiting, which is the limit. Try again in ${writeTime(retryAfterSeconds, "en")}.`,
  }),
};

const HOOK_ERRORS = {
  hook_refused: row(401, {
    fr: "Ce webhook n'existe pas, ou la signature de la requête est absente, incorrecte ou trop ancienne. Vérifiez l'URL et le secret chez l'expéditeur.",
    en: "There is no such webhook, or the request signature is missing, wrong or too old. Check the URL and the secret at the sender.",
  }),
  hook_body_too_large: row(413, {
    parameters: { maxBytes: "integer" },
    fr: ({ maxBytes }) => `Le corps de la requête dépasse ${describeCount(maxBytes, "fr")} octets.`,
    en: ({ maxBytes }) => `The request body exceeds ${describeCount(maxBytes, "en")} bytes.`,
  }),
  too_many_ships: row(429, {
    parameters: { limit: "integer", retryAfterSeconds: "integer" },
    fr: ({ limit, retryAfterSeconds }) =>
      `Ce projet a atteint le maximum de ${limit} déploiements par heure. Renvoyez celui-ci dans ${retryAfterSeconds} s.`,
    en: ({ limit, retryAfterSeconds }) =>
      `This project has reached the limit of ${limit} deployments an hour. Send this one again in ${retryAfterSeconds} s.`,
  }),
};

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

export function sayError(code: WireErrorCode, values: Readonly<Record<string, unknown>>): Text {
  const { fr, en } = WIRE_ERRORS[code] as Row<MemberKinds>;
  const say = (sentence: typeof fr) =>
    typeof sentence === "function" ? sentence(values as Values<MemberKinds>) : sentence;
  return { fr: say(fr), en: say(en) };
}

export const parametersOf = (code: WireErrorCode): MemberKinds =>
  (WIRE_ERRORS[code] as Row<MemberKinds>).parameters ?? {};
