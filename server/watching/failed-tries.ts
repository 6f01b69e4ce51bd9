import { describeRefusal, isAppError } from "../base/errors.ts";
import type { Text } from "../../shared/language.ts";

/** The failure of a try whose process died. */
export const INTERRUPTED: Text = {
  fr: "La vérification a été interrompue.",
  en: "The check was interrupted.",
};

const BUSY: Text = {
  fr: "Trop de vérifications étaient en cours.",
  en: "Too many checks were running.",
};

const USED_UP: Text = {
  fr: "Les vérifications du mois sont épuisées.",
  en: "The month's checks are used up.",
};

const FAILED: Text = {
  fr: "La vérification n'a pas pu être terminée : une erreur du serveur, que dit son journal.",
  en: "The check could not be finished: an error of the server, which is in its log.",
};

/** The reason why a try to verify a deployment, or to run a scan, failed. */
export function describeFailedTry(error: unknown): Text {
  if (isAppError(error, "url_refused")) return describeRefusal(error.parameters);
  if (isAppError(error, "quota_exceeded")) return USED_UP;
  if (isAppError(error, "check_interrupted")) return INTERRUPTED;
  return isAppError(error, "busy") ? BUSY : FAILED;
}

/** Why a deployment waits whose page answers as one that is not there yet. */
export const describeMissingPage = (status: number): Text => ({
  fr: `La page répond ${status} : le déploiement n'est peut-être pas encore en ligne.`,
  en: `The page answers ${status}: the deployment may not be live yet.`,
});
