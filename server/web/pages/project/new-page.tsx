import { T } from "../../kit/reader.tsx";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { newUnlistedId } from "../../../db/id.ts";
import { listOwnOfHost, type ProjectOfHost } from "../../../db/projects/overview.ts";
import type { Deps } from "../../../deps.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { createProject } from "../../../projects/projects.ts";
import { parameterOf } from "../../kit/request-parameters.ts";
import { Button } from "../../kit/components.tsx";
import { Form, useFormInput } from "../../kit/fields.tsx";
import type { Refusal } from "../../kit/forms.ts";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { formsOf } from "../../kit/session/form-handlers.ts";
import { DETAILS_REFUSALS, DetailsFields, readDetails } from "./details-form.tsx";
import { nameProject } from "./state-badges.tsx";
import { pathOfSettings } from "./settings-tabs.ts";
import { WORDS } from "./settings-words.ts";

const PATH = "/projects/new";

interface NewPageProps {
  /** From the link that opened the page. */
  url: string;
  ofHost: readonly ProjectOfHost[];
}

function NewPage({ url, ofHost }: NewPageProps) {
  return (
    <>
      <h1>
        <T text={WORDS.newTitle} />
      </h1>
      <p class="lead">
        <T text={WORDS.newLead} />
      </p>
      {ofHost.map(({ id, name }) => (
        <form method="post" action={pathOfSettings(id, "urls")}>
          <input type="hidden" name="urls" value={url} />
          <p class="actions">
            <T text={WORDS.newOfHost} /> {nameProject(name)}
            <Button label={WORDS.watchThere} on={nameProject(name)} tone="second" />
          </p>
        </form>
      ))}
      <Form action={PATH} submit={WORDS.create}>
        <FormId />
        <DetailsFields current={{ url }} hint={WORDS.addressHint} />
      </Form>
    </>
  );
}

/** A form that is sent twice creates one project. */
function FormId() {
  return (
    <input type="hidden" name="form" value={useFormInput().values["form"] ?? newUnlistedId()} />
  );
}

export function newProjectRoutes(door: FastifyInstance, deps: Deps): void {
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    page: NewPageProps,
    refused?: Refusal,
  ) =>
    sendPage(request, reply, { title: WORDS.newTitle, refused, children: <NewPage {...page} /> });

  door.get(PATH, async (request, reply) => {
    const { caller } = getSignedIn(request);
    const url = parameterOf(request, "url") ?? "";
    const origin = findUrl(url)?.origin;
    const ofHost = origin ? await listOwnOfHost(deps.database.sql, caller, origin) : [];
    return send(request, reply, { url, ofHost });
  });

  const addForm = formsOf(door, deps, {
    page: PATH,
    refusals: DETAILS_REFUSALS,
    render: (request, reply, refused) => send(request, reply, { url: "", ofHost: [] }, refused),
  });
  addForm(PATH, async ({ actor, fields }) => {
    const details = readDetails(fields);
    if ("problems" in details) return details;
    const { id } = await createProject(deps, actor, details, fields["form"]);
    return { to: `/projects/${id}` };
  });
}
