import { describeRefusal, isAppError } from "../base/errors.ts";
import type { Text } from "../../shared/language.ts";

export const INTERRUPTED: Text = {
  fr: "La vérification a été interrompue.",
  en: "The check was interrupted.",
};

const BUSY: Text = {
  fr: "Trop de vérifications étaient en cours.",
  en: "Too many checks were running.",
};

const USED_UP: Text = {
  fr: "Le quota de vérifications du mois est épuisé.",
  en: "This month's quota of checks is used up.",
};

const FAILED: Text = {
  fr: "La vérification n'a pas pu être terminée à cause d'une erreur du serveur, détaillée dans son journal.",
  en: "The check could not be finished because of a server error; see the server's log.",
};

export function describeFailedTry(error: unknown): Text {
  if (isAppError(error, "url_refused")) return describeRefusal(error.parameters);
  if (isAppError(error, "quota_exceeded")) return USED_UP;
  if (isAppError(error, "check_interrupted")) return INTERRUPTED;
  return isAppError(error, "busy") ? BUSY : FAILED;
}

export const describeMissingPage = (status: number): Text => ({
  fr: `La page répond ${status} : le déploiement n'est peut-être pas encore en ligne.`,
  en: `The page returns ${status}: the deployment may not be live yet.`,
});
