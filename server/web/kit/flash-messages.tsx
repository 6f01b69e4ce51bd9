import { T, type Wording } from "./reader.tsx";
import type { FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import type { Text } from "../../../shared/language.ts";
import { parameterOf } from "./request-parameters.ts";

/** By the code in a page's query (`?done=`). */
export const FLASH_MESSAGES = {
  "input-lost": {
    fr: "Votre session avait expiré : votre saisie n'a été ni envoyée ni enregistrée.",
    en: "Your session had expired: what you entered was neither sent nor saved.",
  },
  saved: { fr: "Modifications enregistrées.", en: "Saved." },

  "project-moved": {
    fr: "Modifications enregistrées. Le premier résultat de la nouvelle URL arrivera dans quelques secondes.",
    en: "Saved. The first result for the new URL will arrive in a few seconds.",
  },
  "project-deleted": { fr: "Projet supprimé.", en: "Project deleted." },
  "project-left": { fr: "Vous avez quitté le projet.", en: "You have left the project." },
  "transfer-offered": {
    fr: "Transfert proposé à ce membre. Rien ne change avant son accord.",
    en: "Transfer offered to this member. Nothing changes until they accept.",
  },
  "transfer-canceled": {
    fr: "Transfert annulé. Le projet reste à vous.",
    en: "Transfer canceled. The project remains yours.",
  },
  "transfer-accepted": { fr: "Ce projet est à vous.", en: "This project is yours." },
  "transfer-declined": {
    fr: "Transfert refusé. Le projet reste à son propriétaire.",
    en: "Transfer declined. The project remains its owner's.",
  },

  "urls-known": {
    fr: "Rien à ajouter : toutes ces URL sont déjà surveillées.",
    en: "Nothing to add: all these URLs are already watched.",
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
    fr: "URL en pause. Elle n'est plus contrôlée, et son incident est clos.",
    en: "URL paused. It is no longer probed, and its incident is closed.",
  },
  "url-resumed": {
    fr: "Surveillance reprise. Premier résultat dans quelques secondes.",
    en: "URL resumed. First result in a few seconds.",
  },

  "maintenance-added": { fr: "Maintenance prévue.", en: "Maintenance planned." },
  "maintenance-ended": {
    fr: "Maintenance terminée. Les URL en échec ouvrent de nouveau des incidents.",
    en: "Maintenance ended. Failing URLs open incidents again.",
  },
  "maintenance-removed": { fr: "Maintenance retirée.", en: "Maintenance removed." },
  "incident-acknowledged": {
    fr: "Incident pris en charge. Il n'y aura plus de rappel.",
    en: "Incident acknowledged. No more reminders.",
  },

  "invitation-sent": {
    fr: "Invitation envoyée. Elle est valable 14 jours.",
    en: "Invitation sent. It is valid for 14 days.",
  },
  "invitation-without-mail": {
    fr: "Invitation créée. Ce serveur n'envoie pas d'e-mail : demandez à la personne de répondre sur sa page Projets.",
    en: "Invitation created. This server sends no e-mail: ask the person to answer on their Projects page.",
  },
  "invitation-withdrawn": {
    fr: "Invitation annulée. Elle ne peut plus être acceptée.",
    en: "Invitation withdrawn. It can no longer be accepted.",
  },
  "invitation-accepted": {
    fr: "Invitation acceptée. Vous avez accès à ce projet.",
    en: "Invitation accepted. You now have access to this project.",
  },
  "invitation-declined": { fr: "Invitation refusée.", en: "Invitation declined." },
  "member-removed": {
    fr: "Membre retiré. Cette personne n'a plus accès au projet.",
    en: "Member removed. They no longer have access to the project.",
  },

  "hook-added": {
    fr: "Webhook entrant ajouté. Suivez les étapes ci-dessous.",
    en: "Incoming webhook added. Follow the steps below.",
  },
  "hook-rotated": {
    fr: "Secret modifié. L'ancien reste accepté pendant 24 heures.",
    en: "Secret changed. The previous one is accepted for 24 hours.",
  },
  "hook-removed": {
    fr: "Webhook entrant retiré. Les événements envoyés à son URL sont refusés.",
    en: "Incoming webhook removed. Events sent to its URL are refused.",
  },
  "reporting-on": {
    fr: "Publication des statuts activée. Les commits reçoivent un statut dès le prochain déploiement.",
    en: "Status reporting turned on. Commits get a status from the next deployment on.",
  },
  "reporting-off": {
    fr: "Publication des statuts désactivée. Le jeton ou la clé de l'app ont été effacés.",
    en: "Status reporting turned off. The token or app key has been erased.",
  },

  "alert-added": {
    fr: "Alerte ajoutée. Envoyez un message de test pour voir s'il arrive.",
    en: "Alert added. Send a test message to see whether it arrives.",
  },
  "alert-waiting": {
    fr: "Alerte ajoutée. Rien n'est envoyé tant que le destinataire n'a pas accepté.",
    en: "Alert added. Nothing is sent until the recipient accepts.",
  },
  "alert-tested": {
    fr: "Message de test envoyé. Le résultat est ci-dessous.",
    en: "Test message sent. The result is below.",
  },
  "alert-removed": {
    fr: "Alerte retirée. Plus rien n'est envoyé à sa destination.",
    en: "Alert removed. Nothing more is sent to its target.",
  },

  "badge-on": {
    fr: "Badge activé. Copiez son URL ci-dessous.",
    en: "Badge turned on. Copy its URL below.",
  },
  "badge-off": {
    fr: "Badge désactivé. Son URL n'affiche plus rien.",
    en: "Badge turned off. Its URL no longer shows anything.",
  },
  "status-page-saved": {
    fr: "Modifications enregistrées. Elles seront visibles de tous dans la minute.",
    en: "Saved. Everyone will see the change within a minute.",
  },
  "status-page-removed": {
    fr: "Page d'état désactivée. Son URL n'affiche plus rien, et son nom est de nouveau disponible.",
    en: "Status page turned off. Its URL no longer shows anything, and its name is available again.",
  },

  "email-asked": {
    fr: "Un lien vient d'être envoyé à la nouvelle adresse. Ouvrez-le dans les 30 minutes.",
    en: "A link has been sent to the new address. Open it within 30 minutes.",
  },
  "password-changed": {
    fr: "Le mot de passe est défini, et vos autres sessions ont été fermées.",
    en: "The password is set, and your other sessions have been signed out.",
  },
  "session-ended": { fr: "La session a été fermée.", en: "The session has been signed out." },
  "sessions-ended": {
    fr: "Vos autres sessions ont été fermées.",
    en: "Your other sessions have been signed out.",
  },
  "token-revoked": {
    fr: "Jeton révoqué. Les requêtes qui l'utilisent sont refusées.",
    en: "Token revoked. Requests that use it are refused.",
  },
  "passkey-added": { fr: "Clé d'accès ajoutée.", en: "Passkey added." },
  "passkey-removed": {
    fr: "Clé d'accès retirée. Elle ne permet plus de se connecter.",
    en: "Passkey removed. It no longer signs anyone in.",
  },
  "second-factor-off": {
    fr: "Double authentification désactivée.",
    en: "Two-factor authentication turned off.",
  },
  "account-deleted": { fr: "Compte supprimé.", en: "Account deleted." },

  "scan-deleted": {
    fr: "Le rapport a été supprimé, avec son lien et son badge.",
    en: "The report has been deleted, with its link and its badge.",
  },
} as const satisfies Record<string, Text>;

export type FlashCode = keyof typeof FLASH_MESSAGES;

/** Undefined for any other text, so that a link cannot put words on a page. */
export function findFlashCode(request: FastifyRequest): FlashCode | undefined {
  const code = parameterOf(request, "done") ?? "";
  return Object.hasOwn(FLASH_MESSAGES, code) ? (code as FlashCode) : undefined;
}

export function withFlash(path: string, code: FlashCode): string {
  const { pathname, searchParams } = new URL(path, "http://own.invalid");
  searchParams.set("done", code);
  return `${pathname}?${searchParams}#done`;
}

interface FlashMessageProps {
  said: Wording;
  tone?: "good" | "warn";
}

/** The redirect's fragment (`#done`) points to it, and the page's script focuses it. */
export function FlashMessage({ said, tone = "good" }: FlashMessageProps) {
  return (
    <div id="done" class={`notice ${tone}`} role="status" tabIndex={-1}>
      <p>
        <T text={said} />
      </p>
    </div>
  );
}

export function addFlash(request: FastifyRequest, children: ComponentChildren): ComponentChildren {
  const code = request.method === "POST" ? undefined : findFlashCode(request);
  if (code === undefined) return children;
  return [
    <FlashMessage said={FLASH_MESSAGES[code]} tone={code === "input-lost" ? "warn" : "good"} />,
    children,
  ];
}
