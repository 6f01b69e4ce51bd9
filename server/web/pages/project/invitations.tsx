import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ForAccount, Manager } from "../../../db/accounts/actors.ts";
import { findActorsProject } from "../../../db/projects/roles.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import { acceptHandOver, declineHandOver } from "../../../projects/hand-over.ts";
import { acceptInvitation, declineInvitation } from "../../../projects/invitations.ts";
import { leaveProject } from "../../../projects/members.ts";
import { withFlash, type FlashCode } from "../../kit/flash-messages.tsx";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { useSay } from "../../kit/reader.tsx";
import type { Offer } from "../../../db/projects/invitations.ts";
import { Section, Table } from "../../kit/layout.tsx";
import { ActionButton, nameProject } from "./state-badges.tsx";
import { OFFERS, MEMBERS } from "./members-words.ts";

const PATHS: Readonly<Record<Offer["of"], (projectId: string) => string>> = {
  membership: (projectId) => `/invitations/${projectId}`,
  ownership: (projectId) => `/projects/${projectId}/hand-over`,
};

function Answers({ offer }: { offer: Offer }) {
  const path = PATHS[offer.of](offer.projectId);
  const name = nameProject(offer.projectName);
  return (
    <>
      {(["accept", "decline"] as const).map((answer) => (
        <ActionButton
          key={answer}
          action={`${path}/${answer}`}
          label={MEMBERS[answer]}
          on={name}
          isPlain={answer === "decline"}
        />
      ))}
    </>
  );
}

export function Offers({ offers }: { offers: readonly Offer[] }) {
  const say = useSay();
  if (offers.length === 0) return null;
  return (
    <Section id="invitations" title={OFFERS.title}>
      <Table
        head={[OFFERS.project, OFFERS.what, ""]}
        rows={offers.map((offer) => ({
          key: `${offer.of} ${offer.projectId}`,
          cells: [
            nameProject(offer.projectName),
            `${offer.by} ${say(OFFERS[offer.of])}`,
            <Answers offer={offer} />,
          ],
        }))}
      />
    </Section>
  );
}

type OfProject = FastifyRequest<{ Params: { id: string } }>;
type Answer = (deps: Deps, actor: ForAccount<Manager>, projectId: string) => Promise<void>;

/** The second request of a double click opens the project too: the actor owns it by then. */
const acceptProject: Answer = async (deps, actor, projectId) => {
  try {
    await acceptHandOver(deps, actor, projectId);
  } catch (error) {
    if (!isAppError(error, "hand_over_not_found")) throw error;
    const project = await findActorsProject(deps.database.sql, actor, projectId);
    if (project?.role !== "owner") throw error;
  }
};

export function invitationRoutes(door: FastifyInstance, deps: Deps): void {
  const add = (path: string, answer: Answer, to: "/projects" | "/projects/:id", done: FlashCode) =>
    door.post(path, { config: { formOn: "/projects" } }, async (request, reply) => {
      const { id } = (request as OfProject).params;
      await answer(deps, getSignedIn(request).actor, id);
      return reply.redirect(withFlash(to.replace(":id", id), done), 303);
    });

  add("/invitations/:id/accept", acceptInvitation, "/projects/:id", "invitation-accepted");
  add("/invitations/:id/decline", declineInvitation, "/projects", "invitation-declined");
  add("/projects/:id/hand-over/accept", acceptProject, "/projects/:id", "transfer-accepted");
  add("/projects/:id/hand-over/decline", declineHandOver, "/projects", "transfer-declined");
  add("/projects/:id/leave", leaveProject, "/projects", "project-left");
}
