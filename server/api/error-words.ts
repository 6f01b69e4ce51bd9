import { isAppError, type AppError } from "../errors.ts";

/** What the API says of an expected failure, in French. */
export function describeError(error: AppError): string {
  if (isAppError(error, "unauthorized")) return "Jeton invalide ou révoqué.";
  if (isAppError(error, "project_not_found")) return "Projet introuvable.";
  if (isAppError(error, "route_not_found")) return "Route introuvable.";
  if (isAppError(error, "busy"))
    return "Trop de vérifications sont en cours. Réessayez dans quelques secondes.";
  if (isAppError(error, "quota_exceeded")) {
    const { used, limit } = error.parameters.quota;
    return `Quota du mois épuisé : ${used} vérifications utilisées sur ${limit}. Il sera renouvelé le 1er du mois prochain (UTC).`;
  }
  return error.message;
}
