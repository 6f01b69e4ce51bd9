import type { ScanErrorCode } from "../../shared/error-codes.ts";
import type { AppError, ErrorParameters } from "../base/errors.ts";
import type { Text } from "../base/language.ts";

type DescribeRefusal<Code extends ScanErrorCode> = (parameters: ErrorParameters[Code]) => Text;

const PERIODS = {
  hour: { fr: "au cours de la dernière heure", en: "in the last hour" },
  day: { fr: "au cours des dernières 24 heures", en: "in the last 24 hours" },
} as const;

const UNITS = [
  { seconds: 3600, fr: "heure", en: "hour" },
  { seconds: 60, fr: "minute", en: "minute" },
  { seconds: 1, fr: "seconde", en: "second" },
] as const;

/** A time rounded up to whole hours, minutes or seconds: from two hours on, hours. */
function describeTime(seconds: number): Text {
  const unit = UNITS.find((one) => seconds >= 2 * one.seconds) ?? UNITS[2];
  const count = Math.ceil(seconds / unit.seconds);
  const plural = count > 1 ? "s" : "";
  return { fr: `${count} ${unit.fr}${plural}`, en: `${count} ${unit.en}${plural}` };
}

function describeVisitorBound(refusal: ErrorParameters["scan_visitor_bound"]): Text {
  const { bound, limit } = refusal;
  const time = describeTime(refusal.retryAfterSeconds);
  if (bound === "at_once")
    return {
      fr: `Vous avez déjà ${limit} analyses en cours ou en attente, le maximum. Réessayez quand l'une d'elles sera terminée.`,
      en: `You already have ${limit} scans running or waiting, the most at a time. Try again when one of them has ended.`,
    };
  if (bound === "owners")
    return {
      fr: `Vous avez demandé l'analyse de ${limit} sites ${PERIODS.hour.fr}, le maximum. Réessayez dans ${time.fr}.`,
      en: `You have asked for scans of ${limit} sites ${PERIODS.hour.en}, the most allowed. Try again in ${time.en}.`,
    };
  if (bound === "names")
    return {
      fr: `Le serveur a cherché ${limit} noms d'hôte pour vous ${PERIODS.hour.fr}, le maximum. Réessayez dans ${time.fr}.`,
      en: `The server has looked up ${limit} host names for you ${PERIODS.hour.en}, the most allowed. Try again in ${time.en}.`,
    };
  const period = PERIODS[bound];
  return {
    fr: `Vous avez lancé ${limit} analyses ${period.fr}, le maximum. Réessayez dans ${time.fr}.`,
    en: `You have started ${limit} scans ${period.en}, the most allowed. Try again in ${time.en}.`,
  };
}

/** What happened, why, and what to do, for each refusal of a scan. */
export const SCAN_REFUSALS: { readonly [Code in ScanErrorCode]: DescribeRefusal<Code> } = {
  scan_not_found: () => ({
    fr: "Cette analyse n'existe pas ou n'existe plus. Lancez-en une nouvelle.",
    en: "This scan does not exist, or not any more. Start a new one.",
  }),
  scan_refused_by_owner: ({ host, file }) => ({
    fr: `Le propriétaire de « ${host} » refuse les analyses publiques de son site, dans ${file}. Modifiez ce fichier si le site est le vôtre, ou vérifiez la page depuis un compte, que ce refus ne concerne pas.`,
    en: `The owner of “${host}” refuses public scans of the site, in ${file}. Change this file if the site is yours, or check the page from an account, which the refusal does not concern.`,
  }),
  scan_key_wrong: () => ({
    fr: "Ce rapport ne peut être supprimé que par qui a lancé l'analyse. Ouvrez-le dans le même navigateur, ou par le lien de suppression qu'il a montré.",
    en: "This report can only be deleted by whoever started the scan. Open it in the same browser, or by the link to delete it that was shown there.",
  }),
  scan_too_soon: ({ retryAfterSeconds }) => {
    const time = describeTime(retryAfterSeconds);
    return {
      fr: `Cette page a été analysée il y a moins d'une minute. Relancez l'analyse dans ${time.fr}.`,
      en: `This page was scanned less than a minute ago. Scan it again in ${time.en}.`,
    };
  },
  scan_visitor_bound: describeVisitorBound,
  scan_host_bound: ({ host, limit, retryAfterSeconds }) => {
    const time = describeTime(retryAfterSeconds);
    return {
      fr: `L'hôte « ${host} » a été analysé ${limit} fois ${PERIODS.hour.fr}, le maximum. Réessayez dans ${time.fr}.`,
      en: `The host “${host}” has been scanned ${limit} times ${PERIODS.hour.en}, the most allowed. Try again in ${time.en}.`,
    };
  },
  scan_proof_needed: ({ bits }) => ({
    fr: `Beaucoup d'analyses sont en cours : une preuve de travail est demandée d'abord. Trouvez un « nonce » tel que le SHA-256 de « challenge » suivi du « nonce » commence par ${bits} bits nuls, et renvoyez les deux avec l'adresse.`,
    en: `Many scans are running, so a proof of work is asked for first. Find a nonce for which the SHA-256 of the challenge followed by the nonce begins with ${bits} zero bits, and send both back with the address.`,
  }),
  scan_queue_full: ({ limit, retryAfterSeconds }) => {
    const time = describeTime(retryAfterSeconds);
    return {
      fr: `${limit} analyses attendent déjà leur tour, le maximum. Réessayez dans ${time.fr}.`,
      en: `${limit} scans are waiting for their turn already, the most allowed. Try again in ${time.en}.`,
    };
  },
};

/** The words of an error that is a refusal of the public scan. */
export function describeScanRefusal(error: AppError): Text | undefined {
  if (!Object.hasOwn(SCAN_REFUSALS, error.code)) return undefined;
  const describe = SCAN_REFUSALS[error.code as ScanErrorCode] as (parameters: unknown) => Text;
  return describe(error.parameters);
}
