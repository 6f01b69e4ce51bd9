import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { newUnlistedId } from "../../../db/id.ts";
import type { Deps } from "../../../deps.ts";
import { refuseWith } from "../../../http/failure.ts";
import { createProject } from "../../../projects/projects.ts";
import { parameterOf } from "../../kit/asked.ts";
import { fieldsOf, type Filled, inWords, type Refused } from "../../kit/forms.ts";
import { sendPage } from "../../kit/session/page.ts";
import { filledOf, getSignedIn } from "../../kit/session/signed-in.ts";
import { describeDetailsError, DetailsFields, readDetails } from "./details-form.tsx";
import { WORDS } from "./settings-words.ts";

const PATH = "/projects/new";

/** The page on which a project is created. */
export function newProjectRoutes(door: FastifyInstance, deps: Deps): void {
  function send(request: FastifyRequest, reply: FastifyReply, filled: Filled, status = 200) {
    const { language } = getSignedIn(request);
    const title = say(WORDS.newTitle, language);
    return sendPage(request, reply, {
      title,
      status,
      children: (
        <>
          <h1>{title}</h1>
          <p class="lead">{say(WORDS.newLead, language)}</p>
          <form method="post" action={PATH}>
            <input type="hidden" name="form" value={filled.values["form"] ?? newUnlistedId()} />
            <DetailsFields filled={filled} hint={WORDS.addressHint} language={language} />
            <p class="actions">
              <button type="submit">{say(WORDS.create, language)}</button>
            </p>
          </form>
        </>
      ),
    });
  }

  door.get(PATH, (request, reply) => {
    const { values, problems } = filledOf(getSignedIn(request), PATH);
    const url = values["url"] ?? parameterOf(request, "url") ?? "";
    return send(request, reply, { values: { ...values, url }, problems });
  });

  door.post(PATH, async (request, reply) => {
    const { actor, language } = getSignedIn(request);
    const values = fieldsOf(request);
    const refuse = (refused: Refused) => {
      refuseWith(reply, refused.status);
      return send(request, reply, inWords(refused, values, language), refused.status);
    };
    const details = readDetails(values);
    if ("problems" in details) return refuse(details);
    try {
      const { id } = await createProject(deps, actor, details, values["form"]);
      return reply.redirect(`/projects/${id}`, 303);
    } catch (error) {
      return refuse(describeDetailsError(error));
    }
  });
}
