import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { spellEmail } from "../../../access/accounts.ts";
import { findMemberId } from "../../../db/projects/members.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { offerProject, withdrawHandOver } from "../../../projects/hand-over.ts";
import { parameterOf } from "../../kit/asked.ts";
import { fieldsOf, type Refused } from "../../kit/forms.ts";
import { Question } from "../../kit/layout.tsx";
import { ConfirmField, findUnconfirmed } from "../../kit/session/confirm.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { askToHandOver, HAND_OVER, MEMBERS, toWhom } from "./members-words.ts";
import { nameProject } from "./parts.tsx";
import { formOn, leadBack, pathOfSettings, requireOwn, type OfProject } from "./settings-forms.ts";

const PATH = "/projects/:id/hand-over";

/** A project that its owner offers to a member. */
interface HandingOver {
  id: string;
  name: string;
  email: string;
}

/** Asks first, with the field that confirms who the owner is, if that was long ago. */
function sendQuestion(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, name, email }: HandingOver,
  refused?: Refused,
): FastifyReply {
  const title = askToHandOver(nameProject(name), email);
  return sendPage(request, reply, {
    title,
    refused,
    children: (
      <Question
        title={title}
        consequence={HAND_OVER}
        action={PATH.replace(":id", id)}
        button={MEMBERS.handOver}
        name={toWhom(email)}
        back={pathOfSettings(id, "people")}
      >
        <input type="hidden" name="email" value={email} />
        <ConfirmField signedIn={getSignedIn(request)} />
      </Question>
    ),
  });
}

/** How an owner offers a project to a member, and takes the offer back. */
export function handOverRoutes(door: FastifyInstance, deps: Deps): void {
  async function getHandingOver(request: OfProject, typed = ""): Promise<HandingOver> {
    const email = spellEmail(typed);
    const { id, name } = await requireOwn(deps, request, "hand_over");
    if ((await findMemberId(deps.database.sql, id, email)) === undefined)
      throw new AppError("member_not_found", { email, projectId: id });
    return { id, name, email };
  }

  door.get(PATH, async (request: OfProject, reply) => {
    const email = parameterOf(request, "email");
    if (email === undefined)
      return reply.redirect(pathOfSettings(request.params.id, "people"), 303);
    return sendQuestion(request, reply, await getHandingOver(request, email));
  });

  door.post(PATH, async (request: OfProject, reply) => {
    const handingOver = await getHandingOver(request, fieldsOf(request)["email"]);
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return sendQuestion(request, reply, handingOver, unconfirmed);
    const { id, email } = handingOver;
    await offerProject(deps, getSignedIn(request).actor, id, email);
    return leadBack(request, reply, "people");
  });

  door.post(`${PATH}/withdraw`, formOn("people"), async (request: OfProject, reply) => {
    await withdrawHandOver(deps, getSignedIn(request).actor, request.params.id);
    return leadBack(request, reply);
  });
}
