import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import {
  answerAsRecipient,
  getRecipient,
  pathOfAccepting,
  pathOfUnsubscribing,
} from "../../../alerts/recipients.ts";
import type { Recipient } from "../../../db/alerts/recipients.ts";
import type { Deps } from "../../../deps.ts";
import { languageOf } from "../../kit/asked.ts";
import { answerHead } from "../../kit/head.ts";
import { recogniseReaders } from "../../kit/session/signed-in.ts";
import { sendVisitorPage } from "../../kit/session/visitor-page.ts";
import { nameProject } from "./parts.tsx";
import { ANSWERS, type Answer } from "./recipients-words.ts";

/** `List-Unsubscribe=One-Click`, in a form of either kind. */
const MAX_BODY_BYTES = 4096;

const PATHS = { accepted: pathOfAccepting, ended: pathOfUnsubscribing };

type Request = FastifyRequest<{ Params: { id: string } }>;

/** Asks for an answer, or says that it was given; then the other one can be given in its place. */
function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, projectName, state }: Recipient,
  answer: Answer,
) {
  const language = languageOf(request);
  const isGiven = state === answer;
  const { title, lead, done, doneLead } = ANSWERS[answer];
  const heading = say(isGiven ? done : title, language);
  const other: Answer = answer === "ended" ? "accepted" : "ended";
  const asked = isGiven ? other : answer;
  return sendVisitorPage(request, reply, {
    title: heading,
    children: (
      <>
        <h1>{heading}</h1>
        <p class="lead">{say((isGiven ? doneLead : lead)(nameProject(projectName)), language)}</p>
        <form method="post" action={PATHS[asked](id)}>
          <button type="submit" class={isGiven ? "second" : undefined}>
            {say(ANSWERS[asked].button, language)}
          </button>
        </form>
      </>
    ),
  });
}

/**
 * Where somebody accepts a project's e-mails, and where whoever gets them ends them, without signing in. Opening the pages
 * changes nothing: programs that scan e-mails open links too. A POST is believed wherever it comes from, since mail clients
 * send it by themselves (RFC 8058), with no cookie; that the address cannot be guessed is what protects it.
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
    recogniseReaders(door, deps);
    door.addHook("onRequest", async (_request, reply) => {
      reply.header("cache-control", "no-store");
    });

    for (const answer of ["accepted", "ended"] as const) {
      const path = PATHS[answer](":id");
      door.get(path, async (request: Request, reply) =>
        sendAnswer(request, reply, await getRecipient(deps, request.params.id), answer),
      );
      door.post(path, async (request: Request, reply) => {
        const recipient = await answerAsRecipient(deps, request.params.id, answer);
        return sendAnswer(request, reply, recipient, answer);
      });
    }
  };
