import type { Text } from "../../../../shared/language.ts";

export const MEMBERS = {
  title: { fr: "Membres", en: "Members" },
  lead: {
    fr: "Les membres voient le projet, ses incidents et ses déploiements ; seul son propriétaire peut le modifier.",
    en: "Members see the project, its incidents and its deployments; only its owner can change it.",
  },
  email: { fr: "Adresse e-mail", en: "E-mail address" },
  emailHint: {
    fr: "La personne n'a pas besoin d'avoir déjà un compte. L'invitation est valable 14 jours ; tant qu'elle n'est pas acceptée, la personne ne voit rien du projet.",
    en: "No account is needed yet. The invitation is valid for 14 days; until it is accepted, the person sees nothing of the project.",
  },
  invite: { fr: "Inviter", en: "Invite" },
  standing: { fr: "Statut", en: "Status" },
  member: { fr: "membre depuis le", en: "member since" },
  pending: { fr: "en attente", en: "pending" },
  invitedBy: { fr: "invitation envoyée par", en: "invited by" },
  offered: {
    fr: " ; transfert du projet proposé, en attente de réponse",
    en: "; transfer offered, waiting for an answer",
  },
  resend: { fr: "Renvoyer", en: "Resend" },
  withdraw: { fr: "Annuler l'invitation", en: "Withdraw" },
  remove: { fr: "Retirer", en: "Remove" },
  handOver: { fr: "Transférer", en: "Transfer ownership" },
  takeBack: { fr: "Annuler le transfert", en: "Cancel transfer" },
  accept: { fr: "Accepter", en: "Accept" },
  decline: { fr: "Refuser", en: "Decline" },
  leave: { fr: "Quitter", en: "Leave" },
} satisfies Record<string, Text>;

export const toWhom = (email: string): Text => ({ fr: `à ${email}`, en: `to ${email}` });

/** The accessible names of the buttons in a member's row. */
export const NAMES = {
  resend: (email: string): Text => ({ fr: `Renvoyer à ${email}`, en: `Resend to ${email}` }),
  withdraw: (email: string): Text => ({
    fr: `Annuler l'invitation envoyée à ${email}`,
    en: `Withdraw the invitation for ${email}`,
  }),
  remove: (email: string): Text => ({ fr: `Retirer ${email}`, en: `Remove ${email}` }),
  handOver: (email: string): Text => ({
    fr: `${MEMBERS.handOver.fr} ${toWhom(email).fr}`,
    en: `${MEMBERS.handOver.en} ${toWhom(email).en}`,
  }),
  takeBack: (email: string): Text => ({
    fr: `Annuler le transfert à ${email}`,
    en: `Cancel transfer to ${email}`,
  }),
};

export const INVITATION_PROBLEMS = {
  owner_invited: {
    fr: "C'est votre propre adresse : vous êtes déjà propriétaire du projet.",
    en: "This is your own address: you already own the project.",
  },
  is_member: { fr: "Cette personne est déjà membre.", en: "This person is already a member." },
} satisfies Record<string, Text>;

export const tooManyMembers = (limit: number): Text => ({
  fr: `Ce projet a ${limit} membres et invitations : c'est le maximum. Retirez d'abord quelqu'un.`,
  en: `This project has ${limit} members and invitations, which is the limit. Remove someone first.`,
});

export const tooManyInvitations = (wait: Text): Text => ({
  fr: `Un compte envoie au plus 20 invitations par jour, et une adresse en reçoit au plus 10. Réessayez ${wait.fr}.`,
  en: `An account sends at most 20 invitations a day, and an address gets at most 10. Try again ${wait.en}.`,
});

export const LEAVING = {
  title: { fr: "Quitter ce projet", en: "Leave this project" },
  lead: {
    fr: "Vous ne verrez plus ce projet. Pour y revenir, il faut une nouvelle invitation de son propriétaire.",
    en: "You will no longer see this project. To come back, you need a new invitation from its owner.",
  },
} satisfies Record<string, Text>;

export const OFFERS = {
  title: { fr: "Invitations", en: "Invitations" },
  project: { fr: "Projet", en: "Project" },
  what: { fr: "Proposition", en: "Offer" },
  membership: { fr: "vous invite à voir ce projet.", en: "invites you to see this project." },
  ownership: {
    fr: "souhaite vous transférer ce projet : vous en deviendrez propriétaire, et son propriétaire actuel en restera membre.",
    en: "wants to transfer this project to you: you will own it, and its current owner will stay a member.",
  },
} satisfies Record<string, Text>;

export const REMOVAL: Text = {
  fr: "Cette personne ne verra plus le projet et n'en recevra plus les alertes à son adresse. Pour revenir, elle devra accepter une nouvelle invitation.",
  en: "This person will no longer see the project or get its alerts at their address. To come back, they have to accept a new invitation.",
};

export const HAND_OVER: Text = {
  fr: "Rien ne change avant que cette personne accepte. Elle devient alors propriétaire du projet et peut seule le modifier ; vous en restez membre.",
  en: "Nothing changes until this person accepts. They then own the project and only they can change it; you stay a member.",
};
