import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { say } from "../../../../shared/report/words.ts";
import type { Deps } from "../../../deps.ts";
import { refuseWith } from "../../../http/failure.ts";
import { COPY_SCRIPT, CopyStatus, Id } from "../../kit/copy.tsx";
import { EMPTY, fieldsOf, inWords, type Filled, type Refused } from "../../kit/forms.ts";
import { SECRET_SCRIPT, SecretNotice, type ShownSecret } from "../../kit/secret.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { findDid } from "./acts.tsx";
import { nameProject } from "./parts.tsx";
import { pathOfSettings } from "./settings-forms.ts";
import { SETTINGS_TITLES } from "./settings-words.ts";

/** What an answer shows of a hook or an alert besides how it is. */
export interface Shown {
  refused?: Refused;
  secret?: ShownSecret;
}

interface OwnPage extends Shown {
  name: string;
  projectName: string;
  /** The page of the settings that lists it. */
  list: "hooks" | "alerts";
  path: string;
  id: string;
  script?: string;
  /** `filled`: what was typed into the form that was refused. */
  content: (filled: Filled) => ComponentChildren;
}

/** Sends the page of a hook or an alert to the owner of its project, and says there what was just done to it. */
export async function sendOwnPage(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, projectName, list, path, id, script = "", content, refused, secret }: OwnPage,
): Promise<FastifyReply> {
  const { language } = getSignedIn(request);
  const { id: projectId } = request.params as { id: string };
  const did = await findDid(deps, request, projectId);
  if (refused) refuseWith(reply, refused.status);
  return sendPage(request, reply, {
    title: `${name} – ${nameProject(projectName)}`,
    status: refused?.status ?? 200,
    script: `${COPY_SCRIPT}${SECRET_SCRIPT}${script}`,
    children: (
      <>
        <h1>{name}</h1>
        <p class="lead">
          <a href={pathOfSettings(projectId, list)}>{say(SETTINGS_TITLES[list], language)}</a>
        </p>
        {did}
        {secret && <SecretNotice secret={secret} page={path} language={language} />}
        {content(refused ? inWords(refused, fieldsOf(request), language) : EMPTY)}
        <Id id={id} language={language} />
        <CopyStatus />
      </>
    ),
  });
}
