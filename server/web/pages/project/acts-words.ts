import { findKind } from "../../../alerts/kinds.ts";
import type { Text } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import type { Act, ActKind, ActParameters } from "../../../db/projects/acts.ts";
import type { HookProvider } from "../../../db/deployments/hooks.ts";
import { PROVIDER_NAMES } from "./hooks-words.ts";

/** What is said of what was done; `NAME` and `COUNT` stand for what it was done to. */
const SAID: Readonly<Record<ActKind | "url.none" | "url.one", Text>> = {
  "project.saved": { fr: "Enregistré.", en: "Saved." },
  "gate.saved": { fr: "Enregistré.", en: "Saved." },
  "previews.saved": { fr: "Enregistré.", en: "Saved." },
  "project.moved": {
    fr: "Enregistré. Premier résultat de la nouvelle adresse dans quelques secondes.",
    en: "Saved. First result of the new address in a few seconds.",
  },
  "url.none": {
    fr: "Rien à ajouter : tout cela est déjà surveillé.",
    en: "Nothing to add: all of this is watched already.",
  },
  "url.one": {
    fr: "1 URL ajoutée. Premier résultat dans quelques secondes.",
    en: "Added 1 URL. First result in a few seconds.",
  },
  "url.watched": {
    fr: "COUNT URL ajoutées. Premiers résultats dans quelques secondes.",
    en: "Added COUNT URLs. First results in a few seconds.",
  },
  "url.unwatched": {
    fr: "NAME a été retirée et n'est plus surveillée.",
    en: "Removed NAME. It is not watched any more.",
  },
  "url.paused": {
    fr: "NAME est en pause. Elle n'est plus vérifiée, et son incident est clos.",
    en: "Paused NAME. It is not checked any more, and its incident is closed.",
  },
  "url.resumed": {
    fr: "NAME est de nouveau vérifiée. Premier résultat dans quelques secondes.",
    en: "Resumed NAME. First result in a few seconds.",
  },
  "maintenance.added": { fr: "Maintenance prévue.", en: "Maintenance planned." },
  "maintenance.ended": {
    fr: "Maintenance terminée. Ce qui est en échec redevient un incident.",
    en: "Maintenance ended. What fails is an incident again.",
  },
  "maintenance.removed": { fr: "Maintenance retirée.", en: "Maintenance removed." },
  "incident.acknowledged": {
    fr: "Incident pris en charge. Plus de rappels.",
    en: "Acknowledged. No more reminders.",
  },
  "incident.silenced": { fr: "Enregistré.", en: "Saved." },
  "incident.published": { fr: "Enregistré.", en: "Saved." },
  "invitation.sent": {
    fr: "Invitation envoyée à NAME, qui a 14 jours pour répondre.",
    en: "Invitation sent to NAME, who has 14 days to answer.",
  },
  "invitation.resent": {
    fr: "Invitation envoyée de nouveau à NAME, qui a 14 jours pour répondre.",
    en: "Invitation sent again to NAME, who has 14 days to answer.",
  },
  "invitation.withdrawn": {
    fr: "Invitation de NAME annulée. Elle ne peut plus être acceptée.",
    en: "Withdrew the invitation of NAME. It cannot be accepted any more.",
  },
  "member.removed": {
    fr: "NAME a été retiré et ne voit plus ce projet.",
    en: "Removed NAME, who does not see this project any more.",
  },
  "hand_over.offered": {
    fr: "Projet proposé à NAME. Rien ne change avant son accord.",
    en: "Offered the project to NAME. Nothing changes until they accept.",
  },
  "hand_over.withdrawn": {
    fr: "Proposition annulée. Le projet reste à vous.",
    en: "Offer taken back. The project stays yours.",
  },
  "hook.added": {
    fr: "NAME ajouté. Suivez les étapes ci-dessous.",
    en: "Added NAME. Follow the steps below.",
  },
  "hook.rotated": {
    fr: "Secret de NAME changé. L'ancien reste accepté pendant 24 heures.",
    en: "Changed the secret of NAME. The former one is accepted for 24 hours.",
  },
  "hook.answers": {
    fr: "Statuts activés. Les commits de NAME reçoivent un statut dès le prochain déploiement.",
    en: "Statuses are on. The commits of NAME get one from the next deployment on.",
  },
  "hook.answers_off": {
    fr: "Statuts désactivés. Le jeton de NAME est oublié.",
    en: "Statuses are off. The credential of NAME is forgotten.",
  },
  "hook.removed": {
    fr: "NAME retiré. Ce qui lui est envoyé est refusé.",
    en: "Removed NAME. What is sent to it is refused.",
  },
  "alert.added": {
    fr: "NAME ajoutée. Testez-la pour voir si les messages arrivent.",
    en: "Added NAME. Test it to see whether messages arrive.",
  },
  "alert.asked": {
    fr: "NAME ajoutée. Rien n'est envoyé avant que la personne accepte.",
    en: "Added NAME. Nothing is sent until the person accepts.",
  },
  "alert.edited": { fr: "Enregistré.", en: "Saved." },
  "alert.tried": {
    fr: "Message envoyé à NAME. Le résultat est ci-dessous.",
    en: "Tried to send to NAME. The outcome is below.",
  },
  "alert.removed": {
    fr: "NAME retirée. Plus rien ne lui est envoyé.",
    en: "Removed NAME. Nothing is sent to it any more.",
  },
  "badge.on": {
    fr: "Badge activé. Copiez son adresse ci-dessous.",
    en: "Badge switched on. Copy its address below.",
  },
  "badge.off": {
    fr: "Badge désactivé. Son adresse ne montre plus rien.",
    en: "Badge switched off. Its address shows nothing any more.",
  },
  "status_page.saved": {
    fr: "Enregistré. Tout le monde le voit dans la minute.",
    en: "Saved. Everybody sees it within a minute.",
  },
  "status_page.off": {
    fr: "Page d'état désactivée. Son adresse ne montre plus rien, et son nom est libre.",
    en: "Status page switched off. Its address shows nothing any more, and its name is free.",
  },
};

/** What is said once it was undone. */
const UNDONE: Readonly<Partial<Record<ActKind, Text>>> = {
  "url.unwatched": {
    fr: "NAME est de nouveau surveillée, avec son historique.",
    en: "NAME is watched again, with its history.",
  },
  "member.removed": { fr: "NAME est de nouveau membre.", en: "NAME is a member again." },
  "hook.removed": {
    fr: "NAME est de retour, avec le même secret.",
    en: "NAME is back, with the same secret.",
  },
  "alert.removed": {
    fr: "NAME est de retour. Ce qui attendait est envoyé maintenant.",
    en: "NAME is back. What waited is sent now.",
  },
  "badge.off": {
    fr: "Badge de nouveau actif, à la même adresse.",
    en: "The badge is on again, at the same address.",
  },
};

const NO_MAIL: Text = {
  fr: "NAME est invité. Ce serveur n'envoie pas d'e-mail : dites à cette personne de répondre sur sa page Projets.",
  en: "NAME is invited. This server sends no e-mail: tell this person to answer on their Projects page.",
};

const LONGEST = 100;

/** Hooks of one provider are told apart by the end of their ids. */
export const nameHook = ({ id, provider }: { id: string; provider: HookProvider }): Text => {
  const { fr, en } = PROVIDER_NAMES[provider];
  return { fr: `${fr} …${id.slice(-4)}`, en: `${en} …${id.slice(-4)}` };
};

/** What it was done to: hooks and alerts are called by their kind too. */
function nameOf(kind: ActKind, { name = "", id = "", of = "" }: ActParameters): Text {
  const shown = oneLine(name, LONGEST);
  if (kind.startsWith("hook.")) return nameHook({ id, provider: of as HookProvider });
  if (!kind.startsWith("alert.")) return { fr: shown, en: shown };
  const { fr, en } = findKind(of).name;
  return { fr: `${fr} ${shown}`, en: `${en} ${shown}` };
}

/** What the page of an act says of it. */
export function describeAct({ kind, parameters, isUndone }: Act, hasMail: boolean): Text {
  const { count } = parameters;
  const few = { 0: "url.none", 1: "url.one" } as const;
  const done = SAID[few[count as keyof typeof few] ?? kind];
  const isUnsent = !hasMail && /^invitation\.(?:re)?sent$/.test(kind);
  const { fr, en } = isUnsent ? NO_MAIL : (isUndone && UNDONE[kind]) || done;
  const name = nameOf(kind, parameters);
  const fill = (text: string, as: string) =>
    text.replace("NAME", () => as).replace("COUNT", String(count));
  return { fr: fill(fr, name.fr), en: fill(en, name.en) };
}
