import type { InputFault } from "../../../base/input-faults.ts";
import type { Text } from "../../../../shared/language.ts";
import { NAME_FAULTS } from "../../kit/session/sign-in-words.ts";

export const PASSKEY_WORDS = {
  title: { fr: "Clés d'accès", en: "Passkeys" },
  lead: {
    fr: "Une clé d'accès vous connecte sans mot de passe, avec l'empreinte, le visage ou le code de votre appareil. Votre mot de passe reste valable.",
    en: "A passkey signs you in without a password, with your device's fingerprint, face or code. Your password keeps working.",
  },
  none: {
    fr: "Aucune clé d'accès. Ajoutez-en une sur cet appareil.",
    en: "No passkeys. Add one on this device.",
  },
  some: { fr: "Votre compte a des clés d'accès.", en: "Your account has passkeys." },
  manage: { fr: "Gérer les clés d'accès", en: "Manage passkeys" },
  back: { fr: "Revenir au compte", en: "Back to the account" },
  name: { fr: "Nom", en: "Name" },
  created: { fr: "Ajoutée", en: "Added" },
  lastUse: { fr: "Dernière utilisation", en: "Last used" },
  neverUsed: { fr: "Jamais utilisée", en: "Never used" },
  edit: { fr: "Modifier", en: "Edit" },
  save: { fr: "Enregistrer", en: "Save" },
  remove: { fr: "Retirer", en: "Remove" },
  removal: {
    fr: "Cette clé ne permettra plus de se connecter. Supprimez-la aussi de votre appareil, sinon il continuera de la proposer.",
    en: "This passkey will no longer sign anyone in. Delete it from your device too, or the device will keep offering it.",
  },
  confirmFirst: {
    fr: "Avant d'ajouter une clé d'accès, confirmez votre identité.",
    en: "Before you add a passkey, confirm that it is you.",
  },
  add: { fr: "Ajouter une clé d'accès", en: "Add a passkey" },
  nameOf: { fr: "Nom de la clé", en: "Passkey name" },
  nameHint: {
    fr: "L'appareil ou le gestionnaire de mots de passe où elle est enregistrée, pour la reconnaître plus tard.",
    en: "The device or password manager that stores it, so that you recognize it later.",
  },
  needsScript: {
    fr: "La création d'une clé d'accès nécessite un navigateur récent, avec JavaScript activé.",
    en: "Creating a passkey requires a recent browser with JavaScript turned on.",
  },
  needsName: {
    fr: "Les navigateurs ne créent de clés d'accès que pour un nom de domaine en https, ou pour localhost. Ouvrez ce serveur à une telle adresse.",
    en: "Browsers create passkeys only for a domain name over https, or for localhost. Open this server at such a URL.",
  },
  failed: {
    fr: "Votre navigateur n'a pas créé de clé d'accès : cet appareil en a déjà une pour ce compte, ou la demande a été annulée. Dans ce second cas, réessayez.",
    en: "Your browser did not create a passkey. Either this device already has one for this account, or the request was canceled; in that case, try again.",
  },
  refused: {
    fr: "La clé d'accès n'a pas pu être ajoutée : la demande a plus de cinq minutes, ou la clé est déjà enregistrée. Réessayez.",
    en: "The passkey could not be added: the request is over five minutes old, or the passkey is already registered. Try again.",
  },
} satisfies Record<string, Text>;

export const describePasskeyLimit = (limit: number): Text => ({
  fr: `Ce compte a ${limit} clés d'accès : c'est le maximum. Retirez-en une d'abord.`,
  en: `This account has ${limit} passkeys, which is the limit. Remove one first.`,
});

export const PASSKEY_NAMES = {
  name_empty: {
    fr: "Saisissez un nom pour la clé, par exemple celui de l'appareil.",
    en: "Enter a name for the passkey, such as that of the device.",
  },
  ...NAME_FAULTS,
} satisfies Partial<Record<InputFault, Text>>;
