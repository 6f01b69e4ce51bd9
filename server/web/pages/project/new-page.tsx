import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { newUnlistedId } from "../../../db/id.ts";
import { listOwnOfHost, type ProjectOfHost } from "../../../db/projects/project-list.ts";
import type { Deps } from "../../../deps.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { refuseWith } from "../../../http/failure.ts";
import { createProject } from "../../../projects/projects.ts";
import { parameterOf } from "../../kit/asked.ts";
import { fieldsOf, type Filled, inWords, type Refused } from "../../kit/forms.ts";
import { sendPage } from "../../kit/session/page.ts";
import { filledOf, getSignedIn } from "../../kit/session/signed-in.ts";
import { describeDetailsError, DetailsFields, readDetails } from "./details-form.tsx";
import { nameProject } from "./parts.tsx";
import { pathOfSettings } from "./settings-forms.ts";
import { WORDS } from "./settings-words.ts";

const PATH = "/projects/new";

/** The page on which a project is created. */
export function newProjectRoutes(door: FastifyInstance, deps: Deps): void {
  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    filled: Filled,
    { status = 200, ofHost = [] }: { status?: number; ofHost?: readonly ProjectOfHost[] } = {},
  ) {
    const { language } = getSignedIn(request);
    const title = say(WORDS.newTitle, language);
    return sendPage(request, reply, {
      title,
      status,
      children: (
        <>
          <h1>{title}</h1>
          <p class="lead">{say(WORDS.newLead, language)}</p>
          {ofHost.map(({ id, name }) => (
            <form method="post" action={pathOfSettings(id, "urls")}>
              <input type="hidden" name="urls" value={filled.values["url"]} />
              <p class="actions">
                {say(WORDS.newOfHost, language)} {nameProject(name)}
                <button
                  type="submit"
                  class="second"
                  aria-label={`${say(WORDS.watchThere, language)} ${nameProject(name)}`}
                >
                  {say(WORDS.watchThere, language)}
                </button>
              </p>
            </form>
          ))}
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

  door.get(PATH, async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { values, problems } = filledOf(signedIn, PATH);
    const url = values["url"] ?? parameterOf(request, "url") ?? "";
    const origin = findUrl(url)?.origin;
    const ofHost = origin ? await listOwnOfHost(deps.database.sql, signedIn.caller, origin) : [];
    return send(request, reply, { values: { ...values, url }, problems }, { ofHost });
  });

  door.post(PATH, async (request, reply) => {
    const { actor, language } = getSignedIn(request);
    const values = fieldsOf(request);
    const refuse = (refused: Refused) => {
      refuseWith(reply, refused.status);
      return send(request, reply, inWords(refused, values, language), {
        status: refused.status,
      });
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
