import { findKind } from "../../../alerts/kinds.ts";
import type { Text } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import type { Act, ActKind, ActParameters } from "../../../db/projects/acts.ts";
import type { NotUndone } from "../../../projects/undo.ts";
import { PROVIDER_NAMES } from "./hooks-words.ts";

/** Whether this server sends e-mails. */
interface Server {
  hasMail: boolean;
}

interface Said<Kind extends ActKind> {
  done: (parameters: ActParameters[Kind], server: Server) => Text;
  /** For what can be taken back. */
  undone?: (parameters: ActParameters[Kind]) => Text;
}

const LONGEST = 100;

/** Hooks of one provider are told apart by the end of their ids. */
export const nameHook = ({ id, provider }: { id: string; provider: string }): Text => {
  const { fr, en } = PROVIDER_NAMES[provider as keyof typeof PROVIDER_NAMES];
  return { fr: `${fr} …${id.slice(-4)}`, en: `${en} …${id.slice(-4)}` };
};

const nameAlert = ({ kind, host }: { kind: string; host: string }): Text => {
  const { fr, en } = findKind(kind).name;
  return { fr: `${fr} ${oneLine(host, LONGEST)}`, en: `${en} ${oneLine(host, LONGEST)}` };
};

const said = (fr: string, en: string): Text => ({ fr, en });

const SAID: { readonly [Kind in ActKind]: Said<Kind> } = {
  "project.saved": {
    done: ({ isMoved }) =>
      isMoved
        ? said(
            "Enregistré. Premier résultat de la nouvelle adresse dans quelques secondes.",
            "Saved. First result of the new address in a few seconds.",
          )
        : said("Enregistré.", "Saved."),
  },
  "url.watched": {
    done: ({ count }) => {
      if (count === 0)
        return said(
          "Rien à ajouter : tout cela est déjà surveillé.",
          "Nothing to add: all of this is watched already.",
        );
      return said(
        `${count} URL ajoutée${count === 1 ? "" : "s"}. Premiers résultats dans quelques secondes.`,
        `Added ${count} URL${count === 1 ? "" : "s"}. First results in a few seconds.`,
      );
    },
  },
  "url.unwatched": {
    done: ({ url }) =>
      said(
        `${oneLine(url, LONGEST)} a été retirée et n'est plus surveillée.`,
        `Removed ${oneLine(url, LONGEST)}. It is not watched any more.`,
      ),
    undone: ({ url }) =>
      said(
        `${oneLine(url, LONGEST)} est de nouveau surveillée, avec son historique.`,
        `${oneLine(url, LONGEST)} is watched again, with its history.`,
      ),
  },
  "invitation.sent": {
    done: ({ email }, { hasMail }) =>
      hasMail
        ? said(
            `Invitation envoyée à ${email}. Elle attend une réponse pendant 14 jours.`,
            `Invitation sent to ${email}. It waits for an answer for 14 days.`,
          )
        : said(
            `${email} est invité. Ce serveur n'envoie pas d'e-mail : prévenez cette personne, qui répondra sur sa page Projets.`,
            `${email} is invited. This server sends no e-mail: tell this person, who answers on their Projects page.`,
          ),
  },
  "invitation.resent": {
    done: ({ email }, { hasMail }) =>
      hasMail
        ? said(
            `Invitation envoyée de nouveau à ${email}, pour 14 jours.`,
            `Invitation sent again to ${email}, for 14 days.`,
          )
        : said(
            `L'invitation de ${email} vaut de nouveau 14 jours. Ce serveur n'envoie pas d'e-mail.`,
            `The invitation of ${email} lasts another 14 days. This server sends no e-mail.`,
          ),
  },
  "invitation.withdrawn": {
    done: ({ email }) =>
      said(
        `Invitation de ${email} annulée. Elle ne peut plus être acceptée.`,
        `Withdrew the invitation of ${email}. It cannot be accepted any more.`,
      ),
  },
  "member.removed": {
    done: ({ email }) =>
      said(`${email} ne voit plus ce projet.`, `Removed ${email}, who sees this project no more.`),
    undone: ({ email }) =>
      said(`${email} voit de nouveau ce projet.`, `${email} is a member again.`),
  },
  "hand_over.offered": {
    done: ({ email }) =>
      said(
        `Projet proposé à ${email}. Rien ne change avant son accord.`,
        `Offered the project to ${email}. Nothing changes until they accept.`,
      ),
  },
  "hand_over.withdrawn": {
    done: () =>
      said(
        "Proposition annulée. Le projet reste à vous.",
        "Offer taken back. The project stays yours.",
      ),
  },
  "hook.added": {
    done: (hook) =>
      said(
        `${nameHook(hook).fr} ajouté. Donnez son URL à l'hébergeur.`,
        `Added ${nameHook(hook).en}. Give its URL to the provider.`,
      ),
  },
  "hook.rotated": {
    done: (hook) =>
      said(
        `Secret de ${nameHook(hook).fr} changé. L'ancien reste accepté pendant 24 heures.`,
        `Changed the secret of ${nameHook(hook).en}. The former one is accepted for 24 hours.`,
      ),
  },
  "hook.removed": {
    done: (hook) =>
      said(
        `${nameHook(hook).fr} retiré. Ce qui lui est envoyé est refusé.`,
        `Removed ${nameHook(hook).en}. What is sent to it is refused.`,
      ),
    undone: (hook) =>
      said(
        `${nameHook(hook).fr} est de retour, avec le même secret.`,
        `${nameHook(hook).en} is back, with the same secret.`,
      ),
  },
  "alert.added": {
    done: (alert) =>
      alert.isWaiting
        ? said(
            `${nameAlert(alert).fr} ajoutée. Rien n'est envoyé avant que la personne accepte.`,
            `Added ${nameAlert(alert).en}. Nothing is sent until the person accepts.`,
          )
        : said(
            `${nameAlert(alert).fr} ajoutée. Testez-la pour voir si les messages arrivent.`,
            `Added ${nameAlert(alert).en}. Test it to see whether messages arrive.`,
          ),
  },
  "alert.tried": {
    done: (alert) =>
      said(
        `Message envoyé à ${nameAlert(alert).fr}. Le résultat est dans les derniers envois.`,
        `Tried to send to ${nameAlert(alert).en}. The outcome is among the last deliveries.`,
      ),
  },
  "alert.removed": {
    done: (alert) =>
      said(
        `${nameAlert(alert).fr} retirée. Plus rien ne lui est envoyé.`,
        `Removed ${nameAlert(alert).en}. Nothing is sent to it any more.`,
      ),
    undone: (alert) =>
      said(
        `${nameAlert(alert).fr} est de retour. Ce qui attendait est envoyé maintenant.`,
        `${nameAlert(alert).en} is back. What waited is sent now.`,
      ),
  },
  "badge.on": {
    done: () =>
      said(
        "Badge activé. Copiez son adresse ci-dessous.",
        "Badge switched on. Copy its address below.",
      ),
  },
  "badge.off": {
    done: () =>
      said(
        "Badge désactivé. Son adresse ne montre plus rien.",
        "Badge switched off. Its address shows nothing any more.",
      ),
    undone: () =>
      said(
        "Badge de nouveau actif, à la même adresse.",
        "The badge is on again, at the same address.",
      ),
  },
};

/** What the page of an act says of it. */
export function describeAct<Kind extends ActKind>(
  { kind, parameters }: Act<Kind>,
  server: Server,
): Text {
  const { done, undone }: Said<Kind> = SAID[kind];
  return (parameters.isUndone && undone?.(parameters)) || done(parameters, server);
}

export const NOT_UNDONE: Readonly<Record<NotUndone, Text>> = {
  late: {
    fr: "Trop tard pour annuler : ce qui est retiré n'est gardé que 10 minutes.",
    en: "Too late to undo: what is removed is kept for 10 minutes only.",
  },
  taken: {
    fr: "Rien n'a été remis : autre chose a pris sa place entre-temps.",
    en: "Nothing was put back: something else has taken its place meanwhile.",
  },
  full: {
    fr: "Rien n'a été remis : la limite est atteinte. Retirez autre chose, puis annulez.",
    en: "Nothing was put back: the limit is reached. Remove something else, then undo.",
  },
};
