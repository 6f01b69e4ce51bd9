import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../deps.ts";
import { offerProject } from "../../../projects/hand-over.ts";
import { addConfirmation } from "../../kit/session/question.tsx";
import { HAND_OVER, MEMBERS, toWhom } from "./members-words.ts";
import { findMember } from "./members.tsx";
import { pathOfSettings, type OfOne } from "./settings-tabs.ts";

export function handOverRoutes(door: FastifyInstance, deps: Deps): void {
  addConfirmation(door, deps, {
    path: "/projects/:id/hand-over/:of",
    find: (request) => findMember(deps, request as OfOne, "hand_over"),
    ask: ({ id, email }) => ({
      consequence: HAND_OVER,
      button: MEMBERS.handOver,
      name: toWhom(email),
      back: pathOfSettings(id, "people"),
    }),
    isSensitive: true,
    async act({ id, email }, { actor, confirm }) {
      const unconfirmed = await confirm();
      if (unconfirmed === undefined) await offerProject(deps, actor, id, email);
      return unconfirmed;
    },
    redirect: ({ params }) => ({
      to: pathOfSettings((params as { id: string }).id, "people"),
      done: "transfer-offered",
    }),
  });
}
