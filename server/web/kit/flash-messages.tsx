import { T, type Wording } from "./reader.tsx";
import type { FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import type { Text } from "../../../shared/language.ts";
import { parameterOf } from "./request-parameters.ts";

/** The sentences that a page can show after an action, by the code in its address (`?done=`). */
export const FLASH_MESSAGES = {
  "input-lost": {
    fr: "Votre session avait pris fin : ce que vous aviez saisi n'a été ni envoyé ni enregistré.",
    en: "Your session had ended: your input was neither sent nor saved.",
  },
  saved: { fr: "Enregistré.", en: "Saved." },

  "project-moved": {
    fr: "Enregistré. Premier résultat de la nouvelle adresse dans quelques secondes.",
    en: "Saved. First result of the new address in a few seconds.",
  },
  "project-deleted": { fr: "Projet supprimé.", en: "Project deleted." },
  "project-left": { fr: "Vous avez quitté le projet.", en: "You have left the project." },
  "transfer-offered": {
    fr: "Projet proposé à ce membre. Rien ne change avant son accord.",
    en: "Project offered to this member. Nothing changes until they accept.",
  },
  "transfer-canceled": {
    fr: "Proposition annulée. Le projet reste à vous.",
    en: "Transfer canceled. The project stays yours.",
  },
  "transfer-accepted": { fr: "Ce projet est à vous.", en: "This project is yours." },
  "transfer-declined": {
    fr: "Proposition refusée. Le projet reste à son propriétaire.",
    en: "Transfer declined. The project stays with its owner.",
  },

  "urls-known": {
    fr: "Rien à ajouter : tout cela est déjà surveillé.",
    en: "Nothing to add: all of this is watched already.",
  },
  "urls-added": {
    fr: "URL ajoutées. Premiers résultats dans quelques secondes.",
    en: "URLs added. First results in a few seconds.",
  },
  "url-removed": {
    fr: "URL retirée. Elle n'est plus surveillée.",
    en: "URL removed. It is no longer watched.",
  },
  "url-paused": {
    fr: "URL en pause. Elle n'est plus vérifiée, et son incident est clos.",
    en: "URL paused. It is no longer checked, and its incident is closed.",
  },
  "url-resumed": {
    fr: "URL de nouveau vérifiée. Premier résultat dans quelques secondes.",
    en: "URL resumed. First result in a few seconds.",
  },

  "maintenance-added": { fr: "Maintenance prévue.", en: "Maintenance planned." },
  "maintenance-ended": {
    fr: "Maintenance terminée. Ce qui est en échec redevient un incident.",
    en: "Maintenance ended. URLs that fail open incidents again.",
  },
  "maintenance-removed": { fr: "Maintenance retirée.", en: "Maintenance removed." },
  "incident-acknowledged": {
    fr: "Incident pris en charge. Plus de rappels.",
    en: "Incident acknowledged. No more reminders.",
  },

  "invitation-sent": {
    fr: "Invitation envoyée. La personne a 14 jours pour répondre.",
    en: "Invitation sent. The person has 14 days to answer.",
  },
  "invitation-without-mail": {
    fr: "Personne invitée. Ce serveur n'envoie pas d'e-mail : dites-lui de répondre sur sa page Projets.",
    en: "Person invited. This server sends no e-mail: ask them to answer on their Projects page.",
  },
  "invitation-withdrawn": {
    fr: "Invitation annulée. Elle ne peut plus être acceptée.",
    en: "Invitation withdrawn. It can no longer be accepted.",
  },
  "invitation-accepted": {
    fr: "Invitation acceptée. Vous voyez ce projet.",
    en: "Invitation accepted. You can see this project.",
  },
  "invitation-declined": { fr: "Invitation refusée.", en: "Invitation declined." },
  "member-removed": {
    fr: "Membre retiré. Cette personne ne voit plus le projet.",
    en: "Member removed. This person no longer sees the project.",
  },

  "hook-added": {
    fr: "Déploiements entrants ajoutés. Suivez les étapes ci-dessous.",
    en: "Hook added. Follow the steps below.",
  },
  "hook-rotated": {
    fr: "Secret changé. L'ancien reste accepté pendant 24 heures.",
    en: "Secret changed. The former one is accepted for 24 hours.",
  },
  "hook-removed": {
    fr: "Déploiements entrants retirés. Les événements envoyés à leur adresse sont refusés.",
    en: "Hook removed. Events sent to its address are refused.",
  },
  "reporting-on": {
    fr: "Publication des statuts activée. Les commits reçoivent un statut dès le prochain déploiement.",
    en: "Status reporting switched on. Commits get a status from the next deployment on.",
  },
  "reporting-off": {
    fr: "Publication des statuts désactivée. Le jeton est oublié.",
    en: "Status reporting switched off. The credential is forgotten.",
  },

  "alert-added": {
    fr: "Alerte ajoutée. Testez-la pour voir si les messages arrivent.",
    en: "Alert added. Test it to see whether messages arrive.",
  },
  "alert-waiting": {
    fr: "Alerte ajoutée. Rien n'est envoyé avant que la personne accepte.",
    en: "Alert added. Nothing is sent until the person accepts.",
  },
  "alert-tested": {
    fr: "Message envoyé. Le résultat est ci-dessous.",
    en: "Message sent. The result is below.",
  },
  "alert-removed": {
    fr: "Alerte retirée. Plus rien n'est envoyé à sa destination.",
    en: "Alert removed. Nothing more is sent to its target.",
  },

  "badge-on": {
    fr: "Badge activé. Copiez son adresse ci-dessous.",
    en: "Badge switched on. Copy its address below.",
  },
  "badge-off": {
    fr: "Badge désactivé. Son adresse ne montre plus rien.",
    en: "Badge switched off. Its address no longer shows anything.",
  },
  "status-page-saved": {
    fr: "Enregistré. Tout le monde le voit dans la minute.",
    en: "Saved. Everybody sees it within a minute.",
  },
  "status-page-removed": {
    fr: "Page d'état désactivée. Son adresse ne montre plus rien, et son nom est libre.",
    en: "Status page switched off. Its address no longer shows anything, and its name is free.",
  },

  "email-asked": {
    fr: "Un lien vient d'être envoyé à la nouvelle adresse. Ouvrez-le dans les 30 minutes.",
    en: "A link is on its way to the new address. Open it within 30 minutes.",
  },
  "password-changed": {
    fr: "Le mot de passe est défini, et vos autres sessions sont terminées.",
    en: "The password is set, and your other sessions have ended.",
  },
  "session-ended": { fr: "La session est terminée.", en: "The session has ended." },
  "sessions-ended": {
    fr: "Vos autres sessions sont terminées.",
    en: "Your other sessions have ended.",
  },
  "token-revoked": {
    fr: "Jeton révoqué. Les programmes qui s'en servent sont refusés.",
    en: "Token revoked. Programs that use it are refused.",
  },
  "passkey-added": { fr: "Clé d'accès ajoutée.", en: "Passkey added." },
  "passkey-removed": {
    fr: "Clé d'accès retirée. Elle ne connecte plus personne.",
    en: "Passkey removed. It no longer signs anybody in.",
  },
  "second-factor-off": { fr: "Second facteur désactivé.", en: "Second factor switched off." },
  "account-deleted": { fr: "Compte supprimé.", en: "Account deleted." },

  "scan-deleted": {
    fr: "Le rapport est supprimé, avec son lien et son badge.",
    en: "The report is deleted, with its link and its badge.",
  },
} as const satisfies Record<string, Text>;

export type FlashCode = keyof typeof FLASH_MESSAGES;

/** The code in a request's address; undefined for any other text, so that a link cannot put words on a page. */
export function findFlashCode(request: FastifyRequest): FlashCode | undefined {
  const code = parameterOf(request, "done") ?? "";
  return Object.hasOwn(FLASH_MESSAGES, code) ? (code as FlashCode) : undefined;
}

/** The address of a page that shows the sentence of a code. */
export function withFlash(path: string, code: FlashCode): string {
  const { pathname, searchParams } = new URL(path, "http://own.invalid");
  searchParams.set("done", code);
  return `${pathname}?${searchParams}#done`;
}

interface FlashMessageProps {
  said: Wording;
  tone?: "good" | "warn";
}

/** What a form did. The address leads to it (`#done`), and the page's script gives it the focus. */
export function FlashMessage({ said, tone = "good" }: FlashMessageProps) {
  return (
    <div id="done" class={`notice ${tone}`} role="status" tabIndex={-1}>
      <p>
        <T text={said} />
      </p>
    </div>
  );
}

/** The content of a page, after the sentence of the action that led to it. */
export function addFlash(request: FastifyRequest, children: ComponentChildren): ComponentChildren {
  const code = request.method === "POST" ? undefined : findFlashCode(request);
  if (code === undefined) return children;
  return [
    <FlashMessage said={FLASH_MESSAGES[code]} tone={code === "input-lost" ? "warn" : "good"} />,
    children,
  ];
}
