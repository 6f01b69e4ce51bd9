import type { Text } from "../../../../shared/language.ts";
import { describeQuantity, type Noun } from "../../../../shared/report/words.ts";

export const SECOND_FACTOR_WORDS = {
  title: { fr: "Double authentification", en: "Two-factor authentication" },
  lead: {
    fr: "Après votre mot de passe, un code généré par votre téléphone est demandé. Avec une clé d'accès, aucun code n'est demandé.",
    en: "After your password, you enter a code from your phone. With a passkey, no code is needed.",
  },
  isOn: {
    fr: "Un code est demandé après votre mot de passe.",
    en: "A code is required after your password.",
  },
  manage: { fr: "Gérer la double authentification", en: "Manage two-factor authentication" },
  required: {
    fr: "Ce serveur impose la double authentification à tous les comptes. Activez-la, ou ajoutez une clé d'accès, pour continuer.",
    en: "This server requires two-factor authentication. Turn it on, or add a passkey, to continue.",
  },
  noKey: {
    fr: "L'administrateur de ce serveur doit d'abord définir SHIPSCORE_SECRET_KEY, qui sert à chiffrer les secrets.",
    en: "The administrator of this server first has to set SHIPSCORE_SECRET_KEY, which encrypts the secrets.",
  },

  scan: {
    fr: "Scannez ce code avec une application d'authentification, ou saisissez la clé dans l'application.",
    en: "Scan this code with an authenticator app, or enter the key in the app.",
  },
  qr: { fr: "Code QR pour l'application", en: "QR code for the app" },
  key: { fr: "Clé (TOTP, 6 chiffres) :", en: "Key (TOTP, 6 digits):" },
  code: { fr: "Code affiché par l'application", en: "Code shown by the app" },
  codeWrong: {
    fr: "Ce code ne correspond pas à cette clé. Vérifiez l'heure de votre téléphone et saisissez le code suivant.",
    en: "This code does not match this key. Check the time on your phone, and enter the next code.",
  },
  turnOn: { fr: "Activer", en: "Turn on" },
  ends: {
    fr: "Vos autres sessions seront fermées.",
    en: "Your other sessions will be signed out.",
  },
  turnOff: { fr: "Désactiver", en: "Turn off" },
  turnOffLead: {
    fr: "Le mot de passe suffira à nouveau. Vos autres sessions seront fermées.",
    en: "The password alone will be enough again. Your other sessions will be signed out.",
  },

  codes: { fr: "Codes de récupération", en: "Recovery codes" },
  codesHint: {
    fr: "Chaque code remplace l'application une seule fois. Conservez ces codes ailleurs que sur ce téléphone : ils ne s'affichent que sur cette page.",
    en: "Each code can replace the app once. Keep the codes somewhere other than that phone: they are shown on this page only.",
  },
  download: { fr: "Télécharger", en: "Download" },
  renew: { fr: "Générer de nouveaux codes", en: "Generate new codes" },
} satisfies Record<string, Text>;

const CODE: Noun = { fr: ["code", "codes"], en: ["code", "codes"] };

export const describeCodesLeft = (count: number): Text => ({
  fr: `Il vous reste ${describeQuantity(count, CODE, "fr")}. Les nouveaux codes remplacent les anciens.`,
  en: `You have ${describeQuantity(count, CODE, "en")} left. New codes replace the old ones.`,
});
