import { beforeAll, expect, test } from "vitest";
import { createToken, revokeAllTokens, revokeToken } from "../../server/access/tokens.ts";
import type { RecordedEvent } from "../../server/db/accounts/events.ts";
import { forgetClients } from "../../server/db/accounts/events.ts";
import { actorOf, addPerson, type Person } from "../harness/people.ts";
import { runServerCommand } from "../harness/process.ts";
import { useServer } from "../harness/server.ts";

let ann: Person;
let ben: Person;

const server = useServer();
beforeAll(async () => {
  [ann, ben] = [await addPerson(server, "ann"), await addPerson(server, "ben", "free")];
});

/** All batches, as the command reads them. */
async function audit(
  filter: { account?: string; project?: string } = {},
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let after: RecordedEvent | null = null; ; after = events.at(-1) ?? null) {
    const batch = await server.perform<RecordedEvent[]>("audit", { ...filter, after });
    if (batch.length === 0) return events;
    events.push(...batch);
  }
}

const actionsOf = (events: RecordedEvent[]) => events.map(({ action }) => action);

test("an account that does not exist is an error; a project that does not exist has no events", async () => {
  await expect(audit({ account: "eve@example.com" })).rejects.toThrow(
    "There is no account for eve",
  );
  await expect(audit({ account: "nobody" })).rejects.toThrow("There is no account for nobody");
  expect(await audit({ account: "acc_00000000000000000000" })).toEqual([]);
  expect(await audit({ project: "prj_00000000000000000000" })).toEqual([]);
});

test("actor and action are listed, newest first, without secrets", async () => {
  const { token, id } = await createToken(server.deps, actorOf(ann), "not shown");
  await revokeToken(server.deps, actorOf(ann), id);
  await revokeToken(server.deps, actorOf(ann), id);
  await server.perform("account edit", { email: ann.email, plan: "pro" });
  const events = await audit({ account: ann.email });
  expect(events.map(({ action, by, details }) => [action, by, details])).toEqual([
    ["account.plan_changed", "operator", { to: "pro" }],
    ["token.revoked", "session", { tokenId: id }],
    ["token.created", "session", { tokenId: id }],
    ["token.created", "operator", { tokenId: ann.tokenId }],
    ["account.created", "operator", { plan: "team" }],
  ]);
  expect(events[1]).toMatchObject({
    accountId: ann.accountId,
    account: ann.email,
    actorId: ann.accountId,
    actor: ann.email,
    sessionId: "ses_00000000000000000000",
    address: "127.0.0.1",
  });
  expect(await audit({ account: ann.accountId })).toEqual(events);
  for (const secret of [token, token.slice(4, 20), "not shown"])
    expect(JSON.stringify(events)).not.toContain(secret);
});

test("a rejected verb records nothing", async () => {
  const before = (await audit()).length;
  const carol = await addPerson(server, "carol");
  await expect(revokeToken(server.deps, actorOf(carol), ann.tokenId)).rejects.toThrow();
  await expect(server.perform("account add", { email: ann.email, plan: "pro" })).rejects.toThrow();
  expect(await audit()).toHaveLength(before + 2);
});

test("several tokens revoked at the same time are one event, and none is no event", async () => {
  await createToken(server.deps, actorOf(ben), "two");
  await revokeAllTokens(server.deps, actorOf(ben));
  await revokeAllTokens(server.deps, actorOf(ben));
  const [last, before] = await audit({ account: ben.email });
  expect([last?.action, last?.details, before?.action]).toEqual([
    "token.all_revoked",
    { count: 2 },
    "token.created",
  ]);
});

test("an account's actions on others appear for both, and lose their address and browser once it is deleted", async () => {
  const project = "prj_00000000000000000001";
  await server.sql`
    insert into events (action, account_id, project_id, actor, actor_id, address, browser)
    values ('invitation.sent', ${ben.accountId}, ${project}, 'session', ${ann.accountId}, '192.0.2.1', 'Firefox')`;
  expect(actionsOf(await audit({ project }))).toEqual(["invitation.sent"]);
  for (const { email } of [ann, ben])
    expect(actionsOf(await audit({ account: email }))).toContain("invitation.sent");
  expect(await audit({ account: ann.email, project })).toHaveLength(1);
  await forgetClients(server.sql, ann.accountId);
  const [event] = await audit({ project });
  expect(event).toMatchObject({ actorId: ann.accountId, address: null, browser: null });
});

test("a long audit is read in batches, each event once", async () => {
  await server.sql`
    insert into events (action, account_id, actor, actor_id)
    select 'token.created', ${ben.accountId}, 'session', case when n % 2 = 0 then ${ann.accountId} else ${ben.accountId} end
    from generate_series(1, 1234) n`;
  for (const filter of [{}, { account: ben.email }, { account: ann.email }]) {
    const ids = (await audit(filter)).map(({ id }) => BigInt(id));
    expect(ids.length).toBeGreaterThan(600);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => (a < b ? 1 : -1)));
  }
});

test("the command prints a row per event, and JSON", async () => {
  const { stdout } = await runServerCommand(["audit", "--account", ann.email], server.database.env);
  const rows = stdout.trimEnd().split("\n");
  const cells = `account.created ${ann.email}  operator     plan=team`;
  expect(rows.at(-1)?.split("\t").slice(1)).toEqual(cells.split(" "));
  const json = await runServerCommand(
    ["audit", "--account", ann.email, "--json"],
    server.database.env,
  );
  expect(JSON.parse(json.stdout)).toHaveLength(rows.length);
});
