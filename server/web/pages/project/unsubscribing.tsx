import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import {
  getSubscription,
  pathOfUnsubscribing,
  unsubscribe,
} from "../../../alerts/subscriptions.ts";
import type { Deps } from "../../../deps.ts";
import { languageOf } from "../../kit/asked.ts";
import { answerHead } from "../../kit/head.ts";
import { sendVisitorPage } from "../../kit/session/visitor-page.ts";
import { nameProject } from "./parts.tsx";
import { UNSUBSCRIBING as WORDS } from "./unsubscribing-words.ts";

const PATH = pathOfUnsubscribing(":id");
/** `List-Unsubscribe=One-Click`, in a form of either kind. */
const MAX_BODY_BYTES = 4096;

type Request = FastifyRequest<{ Params: { id: string } }>;

function sendDone(request: FastifyRequest, reply: FastifyReply, projectName: string) {
  const language = languageOf(request);
  const title = say(WORDS.done, language);
  return sendVisitorPage(request, reply, {
    title,
    children: (
      <>
        <h1>{title}</h1>
        <p class="lead">{say(WORDS.doneLead(nameProject(projectName)), language)}</p>
      </>
    ),
  });
}

function sendQuestion(request: FastifyRequest, reply: FastifyReply, projectName: string) {
  const language = languageOf(request);
  const title = say(WORDS.title, language);
  return sendVisitorPage(request, reply, {
    title,
    children: (
      <>
        <h1>{title}</h1>
        <p class="lead">{say(WORDS.lead(nameProject(projectName)), language)}</p>
        <form method="post" action={request.url}>
          <button type="submit">{say(WORDS.button, language)}</button>
        </form>
      </>
    ),
  });
}

/**
 * Where whoever gets the e-mails of an alert ends them, without signing in. Opening the page changes nothing: programs that
 * scan e-mails open links too. A POST is believed wherever it comes from, since mail clients send it by themselves
 * (RFC 8058), with no cookie; that the address cannot be guessed is what protects it.
 */
export const unsubscribingRoutes =
  (deps: Deps) =>
  async (door: FastifyInstance): Promise<void> => {
    door.removeAllContentTypeParsers();
    door.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: MAX_BODY_BYTES },
      (_request, _body, done) => done(null, {}),
    );
    answerHead(door);
    door.addHook("onRequest", async (_request, reply) => {
      reply.header("cache-control", "no-store");
    });

    door.get(PATH, async (request: Request, reply) => {
      const { state, projectName } = await getSubscription(deps, request.params.id);
      const send = state === "ended" ? sendDone : sendQuestion;
      return send(request, reply, projectName);
    });

    door.post(PATH, async (request: Request, reply) => {
      const { projectName } = await unsubscribe(deps, request.params.id);
      return sendDone(request, reply, projectName);
    });
  };
