import type { Text } from "../../../../shared/language.ts";

export const SECOND_FACTOR_WORDS = {
  title: { fr: "Second facteur", en: "Second factor" },
  lead: {
    fr: "Après votre mot de passe, un code de votre téléphone est demandé. Une clé d'accès s'en passe.",
    en: "After your password, a code from your phone is asked for. A passkey needs none.",
  },
  isOn: {
    fr: "Un code est demandé après votre mot de passe.",
    en: "A code is asked for after your password.",
  },
  manage: { fr: "Gérer le second facteur", en: "Manage the second factor" },
  required: {
    fr: "Ce serveur demande un second facteur à chaque compte. Activez-le, ou ajoutez une clé d'accès, pour continuer.",
    en: "This server asks every account for a second factor. Switch it on, or add a passkey, to go on.",
  },
  noKey: {
    fr: "L'exploitant de ce serveur doit d'abord définir SHIPSCORE_SECRET_KEY, qui chiffre les secrets.",
    en: "The operator of this server first has to set SHIPSCORE_SECRET_KEY, with which secrets are encrypted.",
  },

  scan: {
    fr: "Scannez ceci avec une application d'authentification, ou saisissez-y la clé.",
    en: "Scan this with an authenticator app, or type the key into it.",
  },
  qr: { fr: "Code QR pour l'application", en: "QR code for the app" },
  key: { fr: "Clé (basée sur l'heure, 6 chiffres) :", en: "Key (time-based, 6 digits):" },
  code: { fr: "Code que montre l'application", en: "Code that the app shows" },
  codeWrong: {
    fr: "Ce n'est pas le code de cette clé. Vérifiez l'heure de votre téléphone, et saisissez le code suivant.",
    en: "This is not a code of this key. Check the time of your phone, and type the next code.",
  },
  turnOn: { fr: "Activer", en: "Switch on" },
  ends: { fr: "Vos autres sessions se terminent.", en: "Your other sessions end." },
  turnOff: { fr: "Désactiver", en: "Switch off" },
  turnOffLead: {
    fr: "Le mot de passe suffira à nouveau. Vos autres sessions se terminent.",
    en: "The password will do again. Your other sessions end.",
  },

  codes: { fr: "Codes de récupération", en: "Recovery codes" },
  codesHint: {
    fr: "Chacun remplace une fois l'application. Gardez-les ailleurs que sur ce téléphone : cette page seule les montre.",
    en: "Each stands in for the app once. Keep them elsewhere than on that phone: this page alone shows them.",
  },
  download: { fr: "Télécharger", en: "Download" },
  renew: { fr: "Faire de nouveaux codes", en: "Make new codes" },
} satisfies Record<string, Text>;

export const describeCodesLeft = (count: number): Text => ({
  fr: `Il en reste ${count}. De nouveaux codes remplacent les anciens.`,
  en: `${count} ${count === 1 ? "is" : "are"} left. New codes replace the old ones.`,
});
