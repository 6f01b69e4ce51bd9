import { T } from "../../kit/reader.tsx";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  recordConsent,
  getRecipient,
  pathOfAccepting,
  pathOfUnsubscribing,
} from "../../../alerts/recipients.ts";
import type { Recipient, Consent } from "../../../db/alerts/recipients.ts";
import type { Deps } from "../../../deps.ts";
import { Button } from "../../kit/components.tsx";
import { answerHead } from "../../kit/forms.ts";
import { readForAnybody } from "../../kit/public-reads.ts";
import { identifyUsers } from "../../kit/session/signed-in.ts";
import { sendVisitorPage } from "../../kit/session/page.ts";
import { nameProject } from "./state-badges.tsx";
import type { Text } from "../../../../shared/language.ts";

type Decision = Exclude<Consent, "waiting">;

interface ConsentWords {
  title: Text;
  lead: (project: string) => Text;
  button: Text;
  done: Text;
  doneLead: (project: string) => Text;
}

const CONSENTS: Readonly<Record<Decision, ConsentWords>> = {
  accepted: {
    title: { fr: "Recevoir ces alertes ?", en: "Get these alerts?" },
    lead: (project) => ({
      fr: `Quelqu'un souhaite envoyer les alertes du projet « ${project} » à cette adresse e-mail. Sans votre accord, vous ne recevrez rien.`,
      en: `Someone wants to send alerts for the project “${project}” to this e-mail address. Unless you accept, you will get nothing.`,
    }),
    button: { fr: "Recevoir les alertes", en: "Get the alerts" },
    done: { fr: "Abonnement effectué", en: "Subscribed" },
    doneLead: (project) => ({
      fr: `Les alertes du projet « ${project} » sont envoyées à cette adresse e-mail. Chaque message contient un lien de désabonnement.`,
      en: `Alerts for the project “${project}” are sent to this e-mail address. Each message has a link to unsubscribe.`,
    }),
  },
  ended: {
    title: { fr: "Ne plus recevoir ces alertes", en: "Stop these alerts" },
    lead: (project) => ({
      fr: `Cette adresse e-mail ne recevra plus rien sur le projet « ${project} », même si son propriétaire l'ajoute à nouveau. Seule cette page permettra de revenir sur votre décision.`,
      en: `This e-mail address will get nothing more about the project “${project}”, even if its owner adds it again. Only you can undo this, on this page.`,
    }),
    button: { fr: "Me désabonner", en: "Unsubscribe" },
    done: { fr: "Désabonnement effectué", en: "Unsubscribed" },
    doneLead: (project) => ({
      fr: `Cette adresse e-mail ne reçoit plus les alertes du projet « ${project} ». Un message déjà en route peut encore arriver.`,
      en: `No more alerts for the project “${project}” are sent to this e-mail address. A message that is already on its way may still arrive.`,
    }),
  },
};

/** Enough for `List-Unsubscribe=One-Click` in either form encoding. */
const MAX_BODY_BYTES = 4096;

const PATHS = { accepted: pathOfAccepting, ended: pathOfUnsubscribing };

type Request = FastifyRequest<{ Params: { id: string } }>;

function sendConsentPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, projectName, state }: Recipient,
  decision: Decision,
) {
  const isGiven = state === decision;
  const { title, lead, done, doneLead } = CONSENTS[decision];
  const heading = isGiven ? done : title;
  const other: Decision = decision === "ended" ? "accepted" : "ended";
  const next = isGiven ? other : decision;
  return sendVisitorPage(request, reply, {
    title: heading,
    children: (
      <>
        <h1>
          <T text={heading} />
        </h1>
        <p class="lead">
          <T text={(isGiven ? doneLead : lead)(nameProject(projectName))} />
        </p>
        <form method="post" action={PATHS[next](id)}>
          <Button label={CONSENTS[next].button} tone={isGiven ? "second" : undefined} />
        </form>
      </>
    ),
  });
}

/**
 * Opening a page changes nothing, since programs that scan e-mails open links too. A POST needs no cookie and may come from any site, since
 * mail clients send it by themselves (RFC 8058). Its protection is the unguessable URL.
 */
export const recipientRoutes =
  (deps: Deps) =>
  async (door: FastifyInstance): Promise<void> => {
    door.removeAllContentTypeParsers();
    door.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: MAX_BODY_BYTES },
      (_request, _body, done) => done(null, {}),
    );
    answerHead(door);
    identifyUsers(door, deps);
    door.addHook("onRequest", async (_request, reply) => {
      reply.header("cache-control", "no-store");
    });

    for (const decision of ["accepted", "ended"] as const) {
      const path = PATHS[decision](":id");
      door.get(path, async (request: Request, reply) => {
        const { id } = request.params;
        const recipient = await readForAnybody(deps, request, reply, () => getRecipient(deps, id));
        return sendConsentPage(request, reply, recipient, decision);
      });
      door.post(path, async (request: Request, reply) => {
        const recipient = await recordConsent(deps, request.params.id, decision);
        return sendConsentPage(request, reply, recipient, decision);
      });
    }
  };
