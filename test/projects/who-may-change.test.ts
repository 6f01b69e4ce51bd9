import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  expectTypeOf,
  inject,
  test,
} from "vitest";
import type { addAccount, changePlan } from "../../server/access/accounts.ts";
import type { createToken, revokeAllTokens, revokeToken } from "../../server/access/tokens.ts";
import {
  OPERATOR,
  operatorFor,
  type ForAccount,
  type HookActor,
  type Manager,
} from "../../server/db/accounts/actors.ts";
import type { Role } from "../../server/db/projects/roles.ts";
import { AppError } from "../../server/base/errors.ts";
import type { getActor } from "../../server/http/caller.ts";
import { setBadge } from "../../server/projects/badges.ts";
import { editGate } from "../../server/projects/gates.ts";
import { editPreviews } from "../../server/projects/previews.ts";
import { recordDeployment, recordShips } from "../../server/projects/deployments.ts";
import { deleteProject, editProject, type createProject } from "../../server/projects/projects.ts";
import {
  acceptHandOver,
  declineHandOver,
  offerProject,
  withdrawHandOver,
} from "../../server/projects/hand-over.ts";
import {
  acceptInvitation,
  declineInvitation,
  resendInvitation,
  shareProject,
  withdrawInvitation,
} from "../../server/projects/invitations.ts";
import { leaveProject, removeMember, unshareProject } from "../../server/projects/members.ts";
import { addHook, removeHook, rotateHook } from "../../server/projects/hooks.ts";
import { RIGHTS, type Right } from "../../server/projects/rights.ts";
import { addWindow } from "../../server/projects/maintenance.ts";
import { pauseUrl, unwatchUrl, watchUrl, watchUrls } from "../../server/projects/watching.ts";
import type { runCheck } from "../../server/checks/check.ts";
import { hold, waitForWaiting } from "../harness/locks.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";
import { reportOf, shipOf } from "../harness/ships.ts";

const ADDRESS = "https://127.0.0.1:8443/";
const WATCHED = `${ADDRESS}watched`;
const UNKNOWN = "prj_00000000000000000000";

let project: string;
let hookId: string;

/** Alice's project: Dan is a member, as is Bob, to whom it is offered; Ivy is invited, and Carol has nothing to do with it. */
const server = useServer();
const people = use(() => addPeople(server, "dan", "ivy"));
async function startProject(): Promise<void> {
  // Those of earlier tests, which would become more than an account can own.
  await server.sql`update projects set owner_id = null`;
  project = await addProject(server, people.alice, ADDRESS);
  for (const member of [people.bob, people.dan]) {
    await shareProject(server.deps, OPERATOR, project, member.email);
    await acceptInvitation(server.deps, actorOf(member), project);
  }
  await offerProject(server.deps, OPERATOR, project, people.bob.email);
  await shareProject(server.deps, OPERATOR, project, people.ivy.email);
  await watchUrl(server.deps, OPERATOR, project, WATCHED);
  ({ id: hookId } = await addHook(server.deps, OPERATOR, project, { provider: "plain" }));
}

type Verb = (actor: Manager, projectId: string) => Promise<unknown>;
type OwnVerb = (actor: ForAccount<Manager>, projectId: string) => Promise<unknown>;

/** What the owner and the operator may do. */
const VERBS: [name: string, right: Right, verb: Verb][] = [
  ["share", "change", (actor, id) => shareProject(server.deps, actor, id, people.carol.email)],
  ["resend", "change", (actor, id) => resendInvitation(server.deps, actor, id, people.ivy.email)],
  [
    "withdraw",
    "change",
    (actor, id) => withdrawInvitation(server.deps, actor, id, people.ivy.email),
  ],
  ["remove", "change", (actor, id) => removeMember(server.deps, actor, id, people.bob.email)],
  ["unshare", "change", (actor, id) => unshareProject(server.deps, actor, id, people.bob.email)],
  ["watch", "change", (actor, id) => watchUrl(server.deps, actor, id, `${ADDRESS}more`)],
  ["unwatch", "change", (actor, id) => unwatchUrl(server.deps, actor, id, { url: WATCHED })],
  ["add a hook", "change", (actor, id) => addHook(server.deps, actor, id, { provider: "plain" })],
  ["switch the badge on", "change", (actor, id) => setBadge(server.deps, actor, id, true)],
  [
    "edit",
    "change",
    (actor, id) => editProject(server.deps, actor, id, { name: "New", url: `${ADDRESS}new` }),
  ],
  ["set the gate", "change", (actor, id) => editGate(server.deps, actor, id, { minScore: 80 })],
  [
    "pause a URL",
    "change",
    (actor, id) => pauseUrl(server.deps, actor, id, { url: WATCHED }, true),
  ],
  [
    "plan maintenance",
    "change",
    (actor, id) =>
      addWindow(server.deps, actor, id, { from: "now", to: "2099-01-01T00:00Z", urls: [] }),
  ],
  [
    "name previews",
    "change",
    (actor, id) => editPreviews(server.deps, actor, id, { hosts: ["staging.example.com"] }),
  ],
  ["delete", "delete", (actor, id) => deleteProject(server.deps, actor, id, "Site")],
  ["watch many", "change", (actor, id) => watchUrls(server.deps, actor, id, [`${ADDRESS}more`])],
  [
    "record a deployment",
    "change",
    (actor, projectId) => recordDeployment(server.deps, actor, shipOf(projectId, ADDRESS)),
  ],
  ["offer", "hand_over", (actor, id) => offerProject(server.deps, actor, id, people.dan.email)],
  ["take the offer back", "hand_over", (actor, id) => withdrawHandOver(server.deps, actor, id)],
];

/** What people do for themselves alone. */
const OWN_VERBS: [name: string, right: Right, who: keyof typeof people, verb: OwnVerb][] = [
  ["leave", "leave", "bob", (actor, id) => leaveProject(server.deps, actor, id)],
  ["accept", "answer", "ivy", (actor, id) => acceptInvitation(server.deps, actor, id)],
  ["decline", "answer", "ivy", (actor, id) => declineInvitation(server.deps, actor, id)],
  ["take over", "take_over", "bob", (actor, id) => acceptHandOver(server.deps, actor, id)],
  ["decline the offer", "take_over", "bob", (actor, id) => declineHandOver(server.deps, actor, id)],
];

test("the table matches the documented rights", () => {
  const codes = Object.fromEntries(
    Object.entries(RIGHTS).map(([right, { owner, member, invited, stranger }]) => [
      right,
      [owner, member, invited, stranger],
    ]),
  );
  const [hidden, uninvited] = ["project_not_found", "invitation_not_found"];
  expect(codes).toEqual({
    see: ["yes", "yes", hidden, hidden],
    change: ["yes", "owner_only", hidden, hidden],
    delete: ["yes", "owner_only", hidden, hidden],
    hand_over: ["yes", "owner_only", hidden, hidden],
    take_over: ["hand_over_not_found", "yes", hidden, hidden],
    leave: ["owner_stays", "yes", hidden, hidden],
    answer: [uninvited, "yes", "yes", uninvited],
  });
});

const refusalOf = (doing: Promise<unknown>) =>
  doing.then(
    () => "done",
    (error: unknown) => error instanceof AppError && [error.code, error.parameters],
  );

/** All that a verb could have changed. */
async function readProject(): Promise<unknown> {
  const { sql } = server.deps.database;
  return [
    await sql`select * from projects where id = ${project}`,
    await sql`select * from memberships where project_id = ${project} order by account_id`,
    await sql`select * from invitations where project_id = ${project} order by email`,
    await sql`select * from hand_overs where project_id = ${project}`,
    await sql`select * from watched_urls where project_id = ${project} order by id`,
    await sql`select * from maintenance where project_id = ${project} order by id`,
    await sql`select * from deployments where project_id = ${project}`,
    await sql`select * from hooks where project_id = ${project} order by id`,
  ];
}

type ActorOf<AVerb extends (deps: never, actor: never, ...rest: never[]) => unknown> =
  Parameters<AVerb>[1]["by"];

test("any other kind of actor does not compile", () => {
  expectTypeOf<ActorOf<typeof addAccount | typeof changePlan>>().toEqualTypeOf<"operator">();
  expectTypeOf<
    ActorOf<
      | typeof createToken
      | typeof revokeToken
      | typeof revokeAllTokens
      | typeof createProject
      | typeof shareProject
      | typeof resendInvitation
      | typeof withdrawInvitation
      | typeof acceptInvitation
      | typeof declineInvitation
      | typeof leaveProject
      | typeof offerProject
      | typeof withdrawHandOver
      | typeof acceptHandOver
      | typeof declineHandOver
      | typeof editProject
      | typeof deleteProject
      | typeof watchUrls
      | typeof watchUrl
      | typeof unwatchUrl
      | typeof setBadge
      | typeof editGate
      | typeof editPreviews
      | typeof recordDeployment
    >
  >().toEqualTypeOf<"operator" | "session">();
  expectTypeOf<typeof removeMember>().toEqualTypeOf<typeof withdrawInvitation>();
  expectTypeOf<typeof unshareProject>().toEqualTypeOf<typeof withdrawInvitation>();
  expectTypeOf<ActorOf<typeof recordShips>>().toEqualTypeOf<"hook">();
  expectTypeOf<ActorOf<typeof runCheck>>().toEqualTypeOf<"token" | "session">();
  expectTypeOf<ReturnType<typeof getActor>>().not.toExtend<Manager>();
});

describe.each([
  ["rotated", (actor: Manager, id: string) => rotateHook(server.deps, actor, id)],
  ["removed", (actor: Manager, id: string) => removeHook(server.deps, actor, id)],
])("an incoming webhook is %s", (_, change) => {
  beforeAll(startProject);

  test.each([
    ["bob", "owner_only"],
    ["carol", "project_not_found"],
    ["ivy", "project_not_found"],
  ] as const)("rejected for %s: %s", async (who, code) => {
    const before = await readProject();
    const refused = await refusalOf(change(actorOf(people[who]), hookId));
    expect(refused).toEqual([code, { projectId: project }]);
    expect(await readProject()).toEqual(before);
  });

  test("allowed for its owner and the operator, and for no one after its removal", async () => {
    const before = await readProject();
    await change(actorOf(people.alice), hookId);
    expect(await readProject()).not.toEqual(before);
    const id = (await addHook(server.deps, OPERATOR, project, { provider: "plain" })).id;
    await change(OPERATOR, id);
    const gone = "hook_00000000000000000000";
    expect(await refusalOf(change(OPERATOR, gone))).toEqual(["hook_not_found", { id: gone }]);
  });
});

describe("an incoming webhook", () => {
  beforeAll(startProject);
  const hookOf = (projectId: string, { accountId }: Person): HookActor => ({
    by: "hook",
    accountId,
    projectId,
  });
  const record = (hook: HookActor) => refusalOf(recordShips(server.deps, hook, [reportOf()]));

  test("of another project of the same owner records nothing for this one", async () => {
    const before = await readProject();
    const hook = hookOf(await addProject(server, people.alice, ADDRESS), people.alice);
    expect(await record(hook)).toBe("done");
    expect(await readProject()).toEqual(before);
  });

  test.each(["carol", "ivy", "dan"] as const)(
    "of %s, who does not own the project, records nothing",
    async (who) => {
      const before = await readProject();
      const code = who === "dan" ? "owner_only" : "project_not_found";
      expect(await record(hookOf(project, people[who]))).toEqual([code, { projectId: project }]);
      expect(await readProject()).toEqual(before);
    },
  );

  test("of a project that does not exist records nothing", async () => {
    expect(await record(hookOf(UNKNOWN, people.alice))).toEqual([
      "project_not_found",
      { projectId: UNKNOWN },
    ]);
  });

  test("records a deployment of its own project", async () => {
    const before = await readProject();
    expect(await record(hookOf(project, people.alice))).toBe("done");
    expect(await readProject()).not.toEqual(before);
  });
});

test("a URL for someone else's project is not even vetted", async () => {
  await startProject();
  const url = "http://example.com/";
  const verbs: Verb[] = [
    (actor, id) => watchUrl(server.deps, actor, id, url),
    (actor, id) => editProject(server.deps, actor, id, { url }),
    (actor, projectId) => recordDeployment(server.deps, actor, shipOf(projectId, url)),
  ];
  for (const verb of verbs) {
    const refusals = Object.entries(people).map(async ([who, person]) => {
      const refusal = await refusalOf(verb(actorOf(person), project));
      return [who, Array.isArray(refusal) && refusal[0]];
    });
    expect(await Promise.all(refusals)).toEqual([
      ["alice", "url_refused"],
      ["bob", "owner_only"],
      ["carol", "project_not_found"],
      ["dan", "owner_only"],
      ["ivy", "project_not_found"],
    ]);
  }
});

const ROLES: [who: keyof typeof people, role: Role][] = [
  ["carol", "stranger"],
  ["ivy", "invited"],
  ["bob", "member"],
  ["alice", "owner"],
];

const ALL = [
  ...VERBS.map(([name, right, verb]) => [name, right, "alice", verb, false] as const),
  ...OWN_VERBS.map(([name, right, who, verb]) => [name, right, who, verb as Verb, true] as const),
];

describe.each(ALL)("%s", (name, right, who, verb, isOwn) => {
  /** What people do for themselves may be refused with more. */
  const about = (projectId: string) =>
    isOwn ? expect.objectContaining({ projectId }) : { projectId };
  const operatorsFor = ({ accountId }: Person) => (isOwn ? operatorFor(accountId) : OPERATOR);

  describe("is rejected without effect for:", () => {
    let before: unknown;
    beforeAll(async () => {
      await startProject();
      before = await readProject();
    });
    afterEach(async () => {
      expect(await readProject()).toEqual(before);
    });

    test.each(ROLES.filter(([, role]) => RIGHTS[right][role] !== "yes"))(
      "%s, %s, as in the table",
      async (one, role) => {
        const refusal = await refusalOf(verb(actorOf(people[one]), project));
        expect(refusal).toEqual([RIGHTS[right][role], about(project)]);
      },
    );

    test("a project that does not exist, the same as a stranger's", async () => {
      for (const person of Object.values(people))
        for (const actor of [actorOf(person), operatorsFor(person)])
          expect(await refusalOf(verb(actor, UNKNOWN))).toEqual([
            RIGHTS[right].stranger,
            about(UNKNOWN),
          ]);
    });

    test.runIf(isOwn)("the operator, for someone without the right", async () => {
      const refusal = await refusalOf(verb(operatorsFor(people.carol), project));
      expect(refusal).toMatchObject([RIGHTS[right].stranger, {}]);
    });
  });

  describe("is allowed:", () => {
    let before: unknown;
    beforeEach(async () => {
      await startProject();
      before = await readProject();
    });

    test.each(isOwn ? [who] : [who, "the operator"])("for %s", async (one) => {
      const actor = one === who ? actorOf(people[who]) : OPERATOR;
      expect(await refusalOf(verb(actor, project))).toBe("done");
      expect(await readProject()).not.toEqual(before);
    });
  });

  const isRaced = !isOwn && name !== "record a deployment";
  test.runIf(inject("database") === "postgres" && isRaced)(
    "but not for an account that has just lost the project",
    async () => {
      await startProject();
      const { database } = server.deps;
      const release = await hold(
        database,
        (sql) =>
          sql`update projects set owner_id = ${people.carol.accountId} where id = ${project}`,
      );
      const refusal = refusalOf(verb(actorOf(people.alice), project));
      await waitForWaiting(database, 1);
      await release();
      expect(await refusal).toEqual(["project_not_found", { projectId: project }]);
    },
  );
});
