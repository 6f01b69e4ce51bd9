import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { spellEmail } from "../../../access/accounts.ts";
import { findMemberId } from "../../../db/projects/members.ts";
import { findActorsProject } from "../../../db/projects/roles.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { offerProject, withdrawHandOver } from "../../../projects/hand-over.ts";
import { requireRight } from "../../../projects/rights.ts";
import { fieldsOf } from "../../kit/forms.ts";
import { Question } from "../../kit/layout.tsx";
import { ConfirmField, findUnconfirmed, type Unconfirmed } from "../../kit/session/confirm.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { askToHandOver, HAND_OVER, MEMBERS, toWhom } from "./members-words.ts";
import { nameProject } from "./parts.tsx";

const FORM = { config: { formOn: "/projects/:id/settings" } };

type OfProject = FastifyRequest<{ Params: { id: string } }>;

/** A project that its owner offers to a member. */
interface HandingOver {
  id: string;
  name: string;
  email: string;
}

/** Asks again, with the field that confirms who the owner is. */
function sendQuestion(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, name, email }: HandingOver,
  { status, problem }: Unconfirmed,
): FastifyReply {
  const signedIn = getSignedIn(request);
  const { language } = signedIn;
  const title = say(askToHandOver(nameProject(name), email), language);
  return sendPage(request, reply, {
    title,
    status,
    children: (
      <Question
        title={title}
        consequence={say(HAND_OVER, language)}
        action={`/projects/${id}/hand-over`}
        button={say(MEMBERS.handOver, language)}
        name={say(toWhom(email), language)}
        back={`/projects/${id}/settings`}
        language={language}
      >
        <input type="hidden" name="email" value={email} />
        <ConfirmField signedIn={signedIn} problem={problem} />
      </Question>
    ),
  });
}

/** How an owner offers a project to a member, and takes the offer back. */
export function handOverRoutes(door: FastifyInstance, deps: Deps): void {
  const { sql } = deps.database;

  async function getHandingOver(request: OfProject): Promise<HandingOver> {
    const { id: projectId } = request.params;
    const email = spellEmail(fieldsOf(request)["email"]);
    const found = await findActorsProject(sql, getSignedIn(request).actor, projectId);
    const { id, name } = requireRight(found, "hand_over", { projectId });
    if ((await findMemberId(sql, id, email)) === undefined)
      throw new AppError("member_not_found", { email, projectId });
    return { id, name, email };
  }

  door.post("/projects/:id/hand-over", FORM, async (request, reply) => {
    const handingOver = await getHandingOver(request as OfProject);
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed) return sendQuestion(request, reply, handingOver, unconfirmed);
    const { id, email } = handingOver;
    await offerProject(deps, getSignedIn(request).actor, id, email);
    return reply.redirect(`/projects/${id}/settings#people`, 303);
  });

  door.post("/projects/:id/hand-over/withdraw", FORM, async (request, reply) => {
    const { id } = (request as OfProject).params;
    await withdrawHandOver(deps, getSignedIn(request).actor, id);
    return reply.redirect(`/projects/${id}/settings#people`, 303);
  });
}
