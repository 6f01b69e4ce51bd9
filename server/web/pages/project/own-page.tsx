import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import type { Text } from "../../../base/language.ts";
import type { Deps } from "../../../deps.ts";
import { refuseWith } from "../../../http/failure.ts";
import { COPY_SCRIPT, CopyStatus, Id } from "../../kit/copy.tsx";
import type { Refused } from "../../kit/forms.ts";
import { SECRET_SCRIPT, SecretNotice, type ShownSecret } from "../../kit/secret.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { useSay } from "../../kit/reader.tsx";
import { findDid } from "./acts.tsx";
import { titleOf } from "./parts.tsx";
import { pathOfSettings } from "./settings-forms.ts";
import { SETTINGS_TITLES } from "./settings-words.ts";

/** What an answer shows of a hook or an alert besides how it is. */
export interface Shown {
  /** Of one that was just added: its page is not the request's. */
  id?: string;
  refused?: Refused;
  secret?: ShownSecret;
}

interface OwnPageProps {
  name: Text;
  /** The page of the settings that lists it. */
  list: "hooks" | "alerts";
  path: string;
  id: string;
  content: ComponentChildren;
}

interface OwnPage extends OwnPageProps, Omit<Shown, "id"> {
  projectName: string;
  script?: string;
}

interface WholeProps extends OwnPageProps {
  projectId: string;
  did: ComponentChildren;
  secret: ShownSecret | undefined;
}

function Whole({ name, list, path, id, content, projectId, did, secret }: WholeProps) {
  const say = useSay();
  return (
    <>
      <h1>{say(name)}</h1>
      <p class="lead">
        <a href={pathOfSettings(projectId, list)}>{say(SETTINGS_TITLES[list])}</a>
      </p>
      {did}
      {secret && <SecretNotice secret={secret} page={path} />}
      {content}
      <Id id={id} />
      <CopyStatus />
    </>
  );
}

/** Sends the page of a hook or an alert to the owner of its project, and says there what was just done to it. */
export async function sendOwnPage(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { projectName, script = "", refused, secret, ...page }: OwnPage,
): Promise<FastifyReply> {
  const { id: projectId } = request.params as { id: string };
  const did = await findDid(deps, request, projectId);
  if (refused) refuseWith(reply, refused.status);
  return sendPage(request, reply, {
    title: titleOf(page.name, projectName),
    refused,
    script: `${COPY_SCRIPT}${SECRET_SCRIPT}${script}`,
    children: <Whole {...page} projectId={projectId} did={did} secret={secret} />,
  });
}
