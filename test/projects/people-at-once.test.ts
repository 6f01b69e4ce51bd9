import { beforeEach, describe, expect, inject, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { AppError } from "../../server/base/errors.ts";
import {
  acceptHandOver,
  declineHandOver,
  offerProject,
  withdrawHandOver,
} from "../../server/projects/hand-over.ts";
import {
  acceptInvitation,
  declineInvitation,
  leaveProject,
} from "../../server/projects/membership.ts";
import { setBadge } from "../../server/projects/badges.ts";
import {
  removeMember,
  shareProject,
  unshareProject,
  withdrawInvitation,
} from "../../server/projects/sharing.ts";
import { hold, waitForWaiting } from "../harness/locks.ts";
import { openDatabase } from "../harness/opened-database.ts";
import { actorOf, addPeople, addProject } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const outcomeOf = (doing: Promise<unknown>): Promise<string> =>
  doing.then(
    () => "done",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

/** Both of two deeds have begun, and wait for the project, before either may go on; the first asked for goes first. */
describe.runIf(inject("database") === "postgres")("two at once", () => {
  let project: string;

  const server = useServer();
  const database = use(() => openDatabase(server.database.env));
  const people = use(() => addPeople(server));
  beforeEach(async () => {
    project = await addProject(server, people.alice, "https://127.0.0.1:8443/");
    await shareProject(server.deps, OPERATOR, project, people.bob.email);
  });

  async function race(...deeds: (() => Promise<unknown>)[]): Promise<string[]> {
    const release = await hold(
      database,
      (sql) => sql`select from projects where id = ${project} for no key update`,
    );
    const outcomes: Promise<string>[] = [];
    for (const deed of deeds) {
      outcomes.push(outcomeOf(deed()));
      await waitForWaiting(database, outcomes.length);
    }
    await release();
    return Promise.all(outcomes);
  }

  const join = () => acceptInvitation(server.deps, actorOf(people.bob), project);
  const decline = () => declineInvitation(server.deps, actorOf(people.bob), project);
  const withdraw = () =>
    withdrawInvitation(server.deps, actorOf(people.alice), project, people.bob.email);
  const leave = () => leaveProject(server.deps, actorOf(people.bob), project);
  const remove = () => removeMember(server.deps, OPERATOR, project, people.bob.email);
  const offer = () => offerProject(server.deps, actorOf(people.alice), project, people.bob.email);
  const takeOver = () => acceptHandOver(server.deps, actorOf(people.bob), project);
  const turnDown = () => declineHandOver(server.deps, actorOf(people.bob), project);
  const takeBack = () => withdrawHandOver(server.deps, actorOf(people.alice), project);
  const share = () => shareProject(server.deps, actorOf(people.alice), project, people.bob.email);
  const shareMore = () =>
    shareProject(server.deps, actorOf(people.alice), project, people.carol.email);
  const unshare = () =>
    unshareProject(server.deps, actorOf(people.alice), project, people.bob.email);
  const change = () => setBadge(server.deps, actorOf(people.alice), project, true);

  /** What Bob is to the project, and who owns it. */
  const read = async () => {
    const [row] = await database.sql<{ owner: string; bob: string }>`
      select (select email from accounts where id = owner_id) as owner, concat_ws(' ',
        case when exists (select from memberships where project_id = projects.id and account_id = ${people.bob.accountId})
          then 'member' end,
        case when exists (select from invitations where project_id = projects.id and email = ${people.bob.email})
          then 'invited' end) as bob
      from projects where id = ${project}`;
    return [row?.owner.split("@")[0], row?.bob];
  };

  test.each<[string, (() => Promise<unknown>)[], outcomes: string[], roles: string[]]>([
    ["accept, accept", [join, join], ["done", "done"], ["alice", "member"]],
    ["accept, decline", [join, decline], ["done", "invitation_not_found"], ["alice", "member"]],
    ["decline, accept", [decline, join], ["done", "invitation_not_found"], ["alice", ""]],
    ["accept, withdraw", [join, withdraw], ["done", "invitation_not_found"], ["alice", "member"]],
    ["withdraw, accept", [withdraw, join], ["done", "invitation_not_found"], ["alice", ""]],
    ["accept, unshare", [join, unshare], ["done", "done"], ["alice", ""]],
    ["accept, invite", [join, share], ["done", "done"], ["alice", "member"]],
    ["withdraw, withdraw", [withdraw, withdraw], ["done", "invitation_not_found"], ["alice", ""]],
    ["invite, invite", [share, share], ["done", "done"], ["alice", "invited"]],
  ])("%s", async (_, deeds, outcomes, roles) => {
    expect(await race(...deeds)).toEqual(outcomes);
    expect(await read()).toEqual(roles);
  });

  test("an offer beside the end of the membership finds no member", async () => {
    await join();
    const release = await hold(
      database,
      (sql) => sql`delete from memberships where project_id = ${project}`,
    );
    const offered = outcomeOf(offer());
    await waitForWaiting(database, 1);
    await release();
    expect(await offered).toBe("member_not_found");
  });

  describe("while the project is offered to Bob", () => {
    beforeEach(async () => {
      await join();
      await offer();
    });

    test.each<[string, (() => Promise<unknown>)[], outcomes: string[], roles: string[]]>([
      ["take over, take over", [takeOver, takeOver], ["done", "hand_over_not_found"], ["bob", ""]],
      ["take over, leave", [takeOver, leave], ["done", "owner_stays"], ["bob", ""]],
      ["leave, take over", [leave, takeOver], ["done", "project_not_found"], ["alice", ""]],
      ["take over, remove", [takeOver, remove], ["done", "member_not_found"], ["bob", ""]],
      ["remove, take over", [remove, takeOver], ["done", "project_not_found"], ["alice", ""]],
      ["take over, take back", [takeOver, takeBack], ["done", "owner_only"], ["bob", ""]],
      [
        "take back, take over",
        [takeBack, takeOver],
        ["done", "hand_over_not_found"],
        ["alice", "member"],
      ],
      [
        "turn down, take over",
        [turnDown, takeOver],
        ["done", "hand_over_not_found"],
        ["alice", "member"],
      ],
      [
        "take over, change by the former owner",
        [takeOver, change],
        ["done", "owner_only"],
        ["bob", ""],
      ],
      [
        "take over, invite by the former owner",
        [takeOver, shareMore],
        ["done", "owner_only"],
        ["bob", ""],
      ],
      ["leave, leave", [leave, leave], ["done", "project_not_found"], ["alice", ""]],
      ["leave, offer", [leave, offer], ["done", "member_not_found"], ["alice", ""]],
    ])("%s", async (_, deeds, outcomes, roles) => {
      expect(await race(...deeds)).toEqual(outcomes);
      expect(await read()).toEqual(roles);
    });
  });

  test("of two invitations for the hundredth place one is sent", async () => {
    await database.sql`
      insert into invitations (project_id, email)
      select ${project}, n || '@example.com' from generate_series(1, 98) n`;
    const another = () => shareProject(server.deps, OPERATOR, project, "another@example.com");
    expect(await race(shareMore, another)).toEqual(["done", "too_many_people"]);
  });
});
