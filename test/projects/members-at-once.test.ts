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
  shareProject,
  withdrawInvitation,
} from "../../server/projects/invitations.ts";
import { leaveProject, removeMember, unshareProject } from "../../server/projects/members.ts";
import { setBadge } from "../../server/projects/badges.ts";
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

/** Both of two verbs have begun, and wait for the project, before either may go on; the first asked for goes first. */
describe.runIf(inject("database") === "postgres")("two at the same time", () => {
  let project: string;

  const server = useServer();
  const database = use(() => openDatabase(server.database.env));
  const people = use(() => addPeople(server));
  beforeEach(async () => {
    project = await addProject(server, people.alice, "https://127.0.0.1:8443/");
    await shareProject(server.deps, OPERATOR, project, people.bob.email);
  });

  async function race(...verbs: (() => Promise<unknown>)[]): Promise<string[]> {
    const release = await hold(
      database,
      (sql) => sql`select from projects where id = ${project} for no key update`,
    );
    const outcomes: Promise<string>[] = [];
    for (const verb of verbs) {
      outcomes.push(outcomeOf(verb()));
      await waitForWaiting(database, outcomes.length);
    }
    await release();
    return Promise.all(outcomes);
  }

  const [alice, bob] = [() => actorOf(people.alice), () => actorOf(people.bob)];
  const email = () => people.bob.email;
  /** What Bob, Alice or the operator does. */
  const VERBS = {
    accept: () => acceptInvitation(server.deps, bob(), project),
    decline: () => declineInvitation(server.deps, bob(), project),
    leave: () => leaveProject(server.deps, bob(), project),
    "take over": () => acceptHandOver(server.deps, bob(), project),
    "turn down": () => declineHandOver(server.deps, bob(), project),
    withdraw: () => withdrawInvitation(server.deps, alice(), project, email()),
    invite: () => shareProject(server.deps, alice(), project, email()),
    "invite Carol": () => shareProject(server.deps, alice(), project, people.carol.email),
    unshare: () => unshareProject(server.deps, alice(), project, email()),
    offer: () => offerProject(server.deps, alice(), project, email()),
    "take back": () => withdrawHandOver(server.deps, alice(), project),
    change: () => setBadge(server.deps, alice(), project, true),
    remove: () => removeMember(server.deps, OPERATOR, project, email()),
  };
  const verbsOf = (names: string) =>
    names.split(", ").map((name) => VERBS[name as keyof typeof VERBS]);

  /** What Bob is to the project, and who owns it. */
  const read = async () => {
    const [row] = await database.sql<{ owner: string; bob: string }>`
      select (select email from accounts where id = owner_id) as owner, concat_ws(' ',
        case when exists (select from memberships where project_id = projects.id and account_id = ${people.bob.accountId})
          then 'member' end,
        case when exists (select from invitations where project_id = projects.id and email = ${people.bob.email})
          then 'invited' end) as bob
      from projects where id = ${project}`;
    return `${row?.owner.split("@")[0]} ${row?.bob}`;
  };

  test.each<[verbs: string, second: string, roles: string]>([
    ["accept, accept", "done", "alice member"],
    ["accept, decline", "invitation_not_found", "alice member"],
    ["decline, accept", "invitation_not_found", "alice "],
    ["accept, withdraw", "invitation_not_found", "alice member"],
    ["withdraw, accept", "invitation_not_found", "alice "],
    ["accept, unshare", "done", "alice "],
    ["accept, invite", "done", "alice member"],
    ["withdraw, withdraw", "invitation_not_found", "alice "],
    ["invite, invite", "done", "alice invited"],
  ])("%s", async (verbs, second, roles) => {
    expect(await race(...verbsOf(verbs))).toEqual(["done", second]);
    expect(await read()).toBe(roles);
  });

  test("an offer at the same time as the end of the membership finds no member", async () => {
    await VERBS.accept();
    const release = await hold(
      database,
      (sql) => sql`delete from memberships where project_id = ${project}`,
    );
    const offered = outcomeOf(VERBS.offer());
    await waitForWaiting(database, 1);
    await release();
    expect(await offered).toBe("member_not_found");
  });

  describe("during an offer to Bob", () => {
    beforeEach(async () => {
      await VERBS.accept();
      await VERBS.offer();
    });

    test.each<[verbs: string, second: string, roles: string]>([
      ["take over, take over", "hand_over_not_found", "bob "],
      ["take over, leave", "owner_stays", "bob "],
      ["leave, take over", "project_not_found", "alice "],
      ["take over, remove", "member_not_found", "bob "],
      ["remove, take over", "project_not_found", "alice "],
      ["take over, take back", "owner_only", "bob "],
      ["take back, take over", "hand_over_not_found", "alice member"],
      ["turn down, take over", "hand_over_not_found", "alice member"],
      ["take over, change", "owner_only", "bob "],
      ["take over, invite Carol", "owner_only", "bob "],
      ["leave, leave", "project_not_found", "alice "],
      ["leave, offer", "member_not_found", "alice "],
    ])("%s", async (verbs, second, roles) => {
      expect(await race(...verbsOf(verbs))).toEqual(["done", second]);
      expect(await read()).toBe(roles);
    });
  });

  test("of two invitations for the hundredth place one is sent", async () => {
    await database.sql`
      insert into invitations (project_id, email)
      select ${project}, n || '@example.com' from generate_series(1, 98) n`;
    const another = () => shareProject(server.deps, OPERATOR, project, "another@example.com");
    expect(await race(VERBS["invite Carol"], another)).toEqual(["done", "too_many_people"]);
  });
});
