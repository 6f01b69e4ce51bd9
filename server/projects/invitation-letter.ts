import { typesetFrench } from "../../shared/report/words.ts";
import { defuse, plainName } from "../base/syntax/foreign-text.ts";
import type { Letter } from "../access/link-letters.ts";

export interface Invitation {
  /** The e-mail address of whoever invites. */
  inviter: string;
  projectName: string;
  /** The address of the page that asks for an answer. */
  page: string;
  /** The address of the page that makes an account, where anybody may have one. */
  signUp: string | undefined;
}

const french = ({ inviter, signUp }: Invitation, name: string) => [
  `« ${inviter} » vous invite à voir le projet${name && ` « ${name} »`} sur shipscore : ses incidents, ses déploiements et leurs scores.`,
  "Pour accepter ou refuser, connectez-vous avec cette adresse ; l'invitation est valable 14 jours.",
  signUp === undefined
    ? "Si vous n'avez pas de compte, demandez-en un à l'exploitant du serveur ; l'invitation vous attendra."
    : `Si vous n'avez pas de compte, créez-en un avec cette adresse : ${signUp}`,
  "Si vous n'attendiez pas cette invitation, ignorez ce message : rien ne se passe tant que vous n'acceptez pas.",
];

const english = ({ inviter, signUp }: Invitation, name: string) => [
  `“${inviter}” invites you to see the project${name && ` “${name}”`} on shipscore: its incidents, its deployments and their scores.`,
  "To accept or decline, sign in with this address; the invitation lasts 14 days.",
  signUp === undefined
    ? "If you have no account, ask the operator of the server for one; the invitation will wait."
    : `If you have no account, create one with this address: ${signUp}`,
  "If you did not expect this invitation, ignore this message: nothing happens unless you accept.",
];

/**
 * Writes the e-mail of an invitation. It is the same for whoever has an account and whoever has none, so it is in both
 * languages.
 */
export function writeInvitation(invitation: Invitation): Letter {
  const name = plainName(invitation.projectName);
  const { page } = invitation;
  const shown = { ...invitation, inviter: defuse(invitation.inviter) };
  const [greeting = "", ...rest] = french(shown, name).map(typesetFrench);
  const [hello = "", ...others] = english(shown, name);
  return {
    subject: typesetFrench("Invitation à un projet / Invitation to a project"),
    text: [greeting, page, ...rest, "* * *", hello, page, ...others, "-- \nshipscore"].join("\n\n"),
  };
}
