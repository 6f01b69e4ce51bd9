import { T } from "../../kit/reader.tsx";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { AppError } from "../../../base/errors.ts";
import type { Text } from "../../../../shared/language.ts";
import type { CallerRow } from "../../../db/accounts/callers.ts";
import type { Deps } from "../../../deps.ts";
import {
  COPY_SCRIPT,
  CopyStatus,
  Id,
  SECRET_SCRIPT,
  SecretNotice,
  type ShownSecret,
} from "../../kit/components.tsx";
import type { Refusal } from "../../kit/forms.ts";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { titleOf } from "./state-badges.tsx";
import { pathOfSettings } from "./settings-tabs.ts";
import { SETTINGS_TITLES } from "./settings-words.ts";

export interface PageExtras {
  /** The id of an item that was just added, if the request's path does not have it. */
  id?: string;
  refused?: Refusal;
  secret?: ShownSecret;
}

interface ItemPage<Found> {
  list: "hooks" | "alerts";
  find: (
    sql: Deps["database"]["sql"],
    caller: CallerRow,
    projectId: string,
    id: string,
  ) => Promise<Found | undefined>;
  nameOf: (found: Found) => Text;
  render: (found: Found, path: string) => ComponentChildren;
  script?: string;
}

export async function sendItemPage<Found extends { projectName: string }>(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { id: added, refused, secret }: PageExtras,
  { list, find, nameOf, render, script = "" }: ItemPage<Found>,
): Promise<FastifyReply> {
  const { id: projectId, of = "" } = request.params as { id: string; of?: string };
  const id = added ?? of;
  const { caller } = getSignedIn(request);
  const found = await find(deps.database.sql, caller, projectId, id);
  if (found === undefined) throw new AppError("project_not_found", { projectId });
  const path = `/projects/${projectId}/${list}/${id}`;
  return sendPage(request, reply, {
    title: titleOf(nameOf(found), found.projectName),
    refused,
    script: `${COPY_SCRIPT}${SECRET_SCRIPT}${script}`,
    children: (
      <>
        <h1>
          <T text={nameOf(found)} />
        </h1>
        <p class="lead">
          <a href={pathOfSettings(projectId, list)}>
            <T text={SETTINGS_TITLES[list]} />
          </a>
        </p>
        {secret && <SecretNotice secret={secret} page={path} />}
        {render(found, path)}
        <Id id={id} />
        <CopyStatus />
      </>
    ),
  });
}
