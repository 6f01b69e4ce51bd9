import { describeMoment } from "../../shared/report/times.ts";
import type { Language, Text } from "../../shared/language.ts";
import { plainName } from "../base/syntax/text.ts";
import type { NoticeAction } from "../db/accounts/events.ts";
import { claimPendingNotices, type Notice, type PendingNotice } from "../db/accounts/notices.ts";
import { takeFromBucket, type Bound } from "../db/checks/buckets.ts";
import type { Deps } from "../deps.ts";
import { composeLetter, type Letter, addressOf } from "./links.ts";

/** Five immediately, then one a day: at most five in any 24 hours. */
const OF_ACCOUNT: Bound = { name: "notices by account", capacity: 5, seconds: 5 * 86_400 };

export const NOTICE_WORDS: Readonly<Record<NoticeAction, Text>> = {
  "session.begun_elsewhere": {
    fr: "Connexion depuis un réseau que ce compte n'a pas utilisé au cours des 90 derniers jours",
    en: "Sign-in from a network that this account has not used in the last 90 days",
  },
  "passkey.added": { fr: "Nouvelle clé d'accès", en: "New passkey" },
  "token.created": { fr: "Nouveau jeton d'API", en: "New API token" },
  "account.password_changed": {
    fr: "Le mot de passe de votre compte a été modifié",
    en: "The password of your account was changed",
  },
  "account.email_changed": {
    fr: "L'adresse e-mail de votre compte a été modifiée",
    en: "The e-mail address of your account was changed",
  },
  "second_factor.on": {
    fr: "Double authentification activée",
    en: "Two-factor authentication turned on",
  },
  "second_factor.off": {
    fr: "Double authentification désactivée",
    en: "Two-factor authentication turned off",
  },
  "second_factor.recovery_code_used": {
    fr: "Code de récupération utilisé",
    en: "Recovery code used",
  },
};

const NOT_YOU: Text = {
  fr: "Si c'était vous, vous n'avez rien à faire. Sinon, changez tout de suite votre mot de passe, puis révoquez ce que vous ne reconnaissez pas :",
  en: "If this was you, there is nothing to do. If not, change your password immediately, then revoke what you do not recognize:",
};
const FORGOTTEN: Text = {
  fr: "Si c'était vous, vous n'avez rien à faire. Sinon, demandez tout de suite un lien sur cette page, et choisissez un nouveau mot de passe :",
  en: "If this was you, there is nothing to do. If not, ask for a link on this page immediately, and choose a new password:",
};
const AT_MOST: Text = {
  fr: "Vous recevez au plus cinq messages de ce type par jour ; l'historique complet figure sur la page de votre compte.",
  en: "You get at most five of these e-mails a day; your account page has the full history.",
};

export function describeNoticeActor({ by, browser }: Pick<Notice, "by" | "browser">): Text {
  if (by === "operator")
    return { fr: "par l'administrateur de ce serveur", en: "by the administrator of this server" };
  return browser
    ? { fr: `navigateur : « ${browser} »`, en: `browser: “${browser}”` }
    : { fr: "navigateur inconnu", en: "unknown browser" };
}

/** The name is plain text that no mail program turns into a link. */
export function describeNotice({ action, name }: Pick<Notice, "action" | "name">): Text {
  const { fr, en } = NOTICE_WORDS[action];
  const plain = plainName(name ?? "");
  return plain === "" ? { fr, en } : { fr: `${fr} : « ${plain} »`, en: `${en}: “${plain}”` };
}

function writeNotice(notice: PendingNotice, locate: (path: string) => string): Letter {
  const { action, at, language, timeZone } = notice;
  const isPassword = action === "account.password_changed";
  const [what, doer] = [describeNotice(notice), describeNoticeActor(notice)];
  const moment = (each: Language) => describeMoment(at, { language: each, timeZone });
  const paragraphs = [
    { fr: `${what.fr}.`, en: `${what.en}.` },
    { fr: `${moment("fr")}, ${doer.fr}.`, en: `${moment("en")}, ${doer.en}.` },
    isPassword ? FORGOTTEN : NOT_YOU,
    locate(isPassword ? "/forgot" : "/settings/account"),
    AT_MOST,
  ];
  return composeLetter(NOTICE_WORDS[action], paragraphs, language);
}

export async function sendNotices(deps: Deps): Promise<void> {
  const { database, mailer } = deps;
  for (const notice of await claimPendingNotices(database.sql)) {
    if (mailer === undefined) continue;
    const bucket = { bound: OF_ACCOUNT, subject: notice.accountId };
    if ((await takeFromBucket(database.sql, bucket)) !== null) continue;
    mailer.send({ to: notice.email, ...writeNotice(notice, (path) => addressOf(deps, path)) });
  }
}
