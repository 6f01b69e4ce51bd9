import type { Text } from "../../../../shared/language.ts";

export const MEMBERS = {
  title: { fr: "Personnes", en: "People" },
  lead: {
    fr: "Les membres voient le projet, ses incidents et ses déploiements ; vous seul pouvez le modifier.",
    en: "Members see the project, its incidents and its deployments; only you can change it.",
  },
  email: { fr: "Adresse e-mail", en: "E-mail address" },
  emailHint: {
    fr: "Un compte n'est pas encore nécessaire. L'invitation est valable 14 jours ; tant qu'elle n'est pas acceptée, la personne ne voit rien du projet.",
    en: "No account is needed yet. The invitation lasts 14 days; until it is accepted, the person sees nothing of the project.",
  },
  invite: { fr: "Inviter", en: "Invite" },
  standing: { fr: "Statut", en: "Status" },
  member: { fr: "membre depuis le", en: "member since" },
  pending: { fr: "en attente", en: "pending" },
  invitedBy: { fr: "invitation envoyée par", en: "invited by" },
  offered: {
    fr: " ; le projet lui est proposé, en attente de sa réponse",
    en: "; ownership offered, waiting",
  },
  resend: { fr: "Renvoyer", en: "Resend" },
  withdraw: { fr: "Annuler l'invitation", en: "Withdraw" },
  remove: { fr: "Retirer", en: "Remove" },
  handOver: { fr: "Céder", en: "Transfer ownership" },
  takeBack: { fr: "Annuler la proposition", en: "Cancel transfer" },
  accept: { fr: "Accepter", en: "Accept" },
  decline: { fr: "Refuser", en: "Decline" },
  leave: { fr: "Quitter", en: "Leave" },
} satisfies Record<string, Text>;

export const toWhom = (email: string): Text => ({ fr: `à ${email}`, en: `to ${email}` });

/** The accessible names of the buttons at somebody. */
export const NAMES = {
  resend: (email: string): Text => ({ fr: `Renvoyer à ${email}`, en: `Resend to ${email}` }),
  withdraw: (email: string): Text => ({
    fr: `Annuler l'invitation de ${email}`,
    en: `Withdraw the invitation of ${email}`,
  }),
  remove: (email: string): Text => ({ fr: `Retirer ${email}`, en: `Remove ${email}` }),
  handOver: (email: string): Text => ({
    fr: `${MEMBERS.handOver.fr} ${toWhom(email).fr}`,
    en: `${MEMBERS.handOver.en} ${toWhom(email).en}`,
  }),
  takeBack: (email: string): Text => ({
    fr: `Annuler la proposition à ${email}`,
    en: `Cancel transfer to ${email}`,
  }),
};

/** Why an invitation is refused. */
export const INVITATION_PROBLEMS = {
  owner_invited: {
    fr: "C'est votre propre adresse : le projet est déjà à vous.",
    en: "This is your own address: the project is yours already.",
  },
  is_member: { fr: "Cette personne est déjà membre.", en: "This person is a member already." },
} satisfies Record<string, Text>;

export const tooManyMembers = (limit: number): Text => ({
  fr: `Ce projet a ${limit} membres et invitations, le maximum. Retirez d'abord quelqu'un.`,
  en: `This project has ${limit} members and invitations, the most it can have. Remove somebody first.`,
});

/** `wait`: in how long, in words. */
export const tooManyInvitations = (wait: Text): Text => ({
  fr: `Un compte envoie au plus 20 invitations par jour, et une adresse en reçoit au plus 10. Recommencez ${wait.fr}.`,
  en: `An account sends at most 20 invitations a day, and an address gets at most 10. Try again ${wait.en}.`,
});

export const LEAVING = {
  title: { fr: "Quitter ce projet", en: "Leave this project" },
  lead: {
    fr: "Vous ne verrez plus ce projet. Pour y revenir, il faut une nouvelle invitation de son propriétaire.",
    en: "You will not see this project any more. To come back, you need another invitation from its owner.",
  },
} satisfies Record<string, Text>;

export const OFFERS = {
  title: { fr: "Invitations", en: "Invitations" },
  project: { fr: "Projet", en: "Project" },
  what: { fr: "Ce qui vous est proposé", en: "What you are offered" },
  membership: { fr: "vous invite à voir ce projet.", en: "invites you to see this project." },
  ownership: {
    fr: "vous cède ce projet : il sera à vous, et son propriétaire actuel en restera membre.",
    en: "transfers this project to you: it will be yours, and its present owner will stay a member.",
  },
} satisfies Record<string, Text>;

export const REMOVAL: Text = {
  fr: "Cette personne ne voit plus le projet, et les alertes qu'elle recevait à son adresse s'arrêtent. Pour revenir, elle doit accepter une nouvelle invitation.",
  en: "This person no longer sees the project, and the alerts sent to their address stop. To come back, they have to accept another invitation.",
};

export const HAND_OVER: Text = {
  fr: "Rien ne change avant que cette personne accepte. Ensuite le projet est à elle : elle seule peut le modifier, et vous en restez membre.",
  en: "Nothing changes until this person accepts. Then the project is theirs: only they can change it, and you stay a member.",
};
