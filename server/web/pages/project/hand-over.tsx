import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { spellEmail } from "../../../access/accounts.ts";
import { findMemberId } from "../../../db/projects/memberships.ts";
import { findActorsProject } from "../../../db/projects/roles.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { offerProject, withdrawHandOver } from "../../../projects/hand-over.ts";
import { requireRight } from "../../../projects/rights.ts";
import { fieldsOf, inWords, type Refused } from "../../kit/forms.ts";
import { Question } from "../../kit/layout.tsx";
import { ConfirmField, findUnconfirmed } from "../../kit/session/confirm.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getVisit } from "../../kit/session/visit.ts";
import { askToHandOver, HAND_OVER, PEOPLE, toWhom } from "./people-words.ts";
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
  refused: Refused,
): FastifyReply {
  const visit = getVisit(request);
  const { language } = visit;
  const { problems } = inWords(refused, {}, language);
  const title = say(askToHandOver(nameProject(name), email), language);
  return sendPage(request, reply, {
    title,
    status: refused.status,
    children: (
      <Question
        title={title}
        consequence={say(HAND_OVER, language)}
        action={`/projects/${id}/hand-over`}
        button={say(PEOPLE.handOver, language)}
        name={say(toWhom(email), language)}
        back={`/projects/${id}/settings`}
        language={language}
      >
        <input type="hidden" name="email" value={email} />
        <ConfirmField visit={visit} problem={problems["current_password"]} />
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
    const found = await findActorsProject(sql, getVisit(request).actor, projectId);
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
    await offerProject(deps, getVisit(request).actor, id, email);
    return reply.redirect(`/projects/${id}/settings#people`, 303);
  });

  door.post("/projects/:id/hand-over/withdraw", FORM, async (request, reply) => {
    const { id } = (request as OfProject).params;
    await withdrawHandOver(deps, getVisit(request).actor, id);
    return reply.redirect(`/projects/${id}/settings#people`, 303);
  });
}
