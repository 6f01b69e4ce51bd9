import { expect, test } from "vitest";
import { createToken, revokeAllTokens, revokeToken } from "../../server/access/tokens.ts";
import { OPERATOR, operatorFor } from "../../server/db/accounts/actors.ts";
import { actorOf, addPerson } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { valueOf } from "../harness/rows.ts";
import { sendCheck } from "../harness/request.ts";

const server = useServer();

const statusFor = async (token: string) =>
  (await server.request("/api/v1/projects", { token })).status;

test("with one token present and ten created at the same time, five exist", async () => {
  const { email } = await addPerson(server, "tina");
  const create = () => server.perform("token add", { email, name: "parallel" });
  const results = await Promise.allSettled(Array.from({ length: 10 }, create));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
  const refusals = results.flatMap((result) =>
    result.status === "rejected" ? String(result.reason) : [],
  );
  expect(new Set(refusals).size).toBe(1);
  expect(refusals[0]).toContain("has 5 active tokens");
  expect(refusals[0]).toContain(`token list ${email}`);
});

test("one account cannot revoke another's token, and the error is that of an unknown token", async () => {
  const [alice, carol] = [await addPerson(server, "alice"), await addPerson(server, "carol")];
  const revoke = (id: string) => revokeToken(server.deps, actorOf(carol), id);
  for (const id of [alice.tokenId, "tok_00000000000000000000"])
    await expect(revoke(id)).rejects.toMatchObject({ code: "token_not_found", parameters: { id } });
  expect(await statusFor(alice.token)).toBe(200);
  await revoke(carol.tokenId);
  expect([await statusFor(alice.token), await statusFor(carol.token)]).toEqual([200, 401]);
  await revokeToken(server.deps, OPERATOR, alice.tokenId);
  expect(await statusFor(alice.token)).toBe(401);
});

test("a sixth token is rejected with the limit, for every kind of actor", async () => {
  const person = await addPerson(server, "sven");
  for (let made = 1; made < 5; made++) await createToken(server.deps, actorOf(person), "one more");
  for (const actor of [actorOf(person), operatorFor(person.accountId)])
    await expect(createToken(server.deps, actor, "sixth")).rejects.toMatchObject({
      code: "too_many_tokens",
      parameters: { email: person.email, limit: 5 },
    });
});

test("a revoked token is rejected at the next request, forever, and makes room for another", async () => {
  const { email, token, tokenId } = await addPerson(server, "remy");
  expect(await statusFor(token)).toBe(200);
  await server.perform("token remove", { id: tokenId });
  expect(await statusFor(token)).toBe(401);
  await server.perform("token remove", { id: tokenId });
  expect(await statusFor(token)).toBe(401);
  const next = await server.perform<{ token: string }>("token add", { email, name: "next" });
  expect(await statusFor(next.token)).toBe(200);
});

test("the last use is exact to the minute and written once a minute", async () => {
  const { token, tokenId } = await addPerson(server, "lena");
  const stored = async () => {
    const [row] = await server.sql<{ lastUsedAt: Date | null; version: string }>`
      select last_used_at, xmin::text as version from tokens where id = ${tokenId}`;
    return row;
  };
  expect((await stored())?.lastUsedAt).toBeNull();
  await statusFor(token);
  const first = await stored();
  expect(Date.now() - (first?.lastUsedAt?.getTime() ?? 0)).toBeLessThan(60_000);
  const useInMinuteOfLast = async (): Promise<Awaited<ReturnType<typeof stored>>> => {
    await server.sql`update tokens set last_used_at = date_trunc('minute', now()) where id = ${tokenId}`;
    const before = await stored();
    await statusFor(token);
    const [minute] = await server.sql<{ at: Date }>`select date_trunc('minute', now()) as at`;
    const isOver = minute?.at.getTime() !== before?.lastUsedAt?.getTime();
    return isOver ? useInMinuteOfLast() : before;
  };
  const before = await useInMinuteOfLast();
  expect((await stored())?.version).toBe(before?.version);
  await server.sql`update tokens set last_used_at = date_trunc('minute', now()) - interval '1 millisecond' where id = ${tokenId}`;
  await statusFor(token);
  expect((await stored())?.lastUsedAt?.getTime()).toBeGreaterThanOrEqual(
    before?.lastUsedAt?.getTime() ?? Infinity,
  );
});

test("only the fingerprint of a token is stored", async () => {
  const { token } = await addPerson(server, "nora");
  await statusFor(token);
  const rows = await server.sql<{ text: string }>`
    select tokens::text || accounts::text as text from tokens join accounts on accounts.id = account_id`;
  const dump = rows.map(({ text }) => text).join("\n");
  for (let start = 4; start + 8 <= token.length; start++) {
    expect(dump).not.toContain(token.slice(start, start + 8));
  }
});

test("a token sent by mistake in a path, a query or another header is not logged", async () => {
  const { token } = await addPerson(server, "mia");
  await server.request(`/api/v1/${token}?key=${token}`, {
    token,
    headers: { "x-api-key": token, "user-agent": token },
  });
  await server.request(`/api/v1/projects/${token}/incidents`, { token });
  await sendCheck(server.url, token, `https://user:${token}@example.com/`);
  expect(server.log.length).toBeGreaterThan(0);
  expect(server.log.join("\n")).not.toContain(token.slice(4, 20));
});

test("the last hundred revoked tokens are kept, including those revoked at the same time", async () => {
  const person = await addPerson(server, "hundred");
  const { accountId } = person;
  await server.sql`
    insert into tokens (id, account_id, name, fingerprint, revoked_at)
    select 'tok_' || n, ${accountId}, 'old', sha256(n::text::bytea), now() - n * interval '1 minute' from generate_series(1, 99) n`;
  const ids = [person.tokenId];
  for (let made = 1; made < 5; made++)
    ids.push((await createToken(server.deps, actorOf(person), "new")).id);
  await Promise.all(ids.slice(1).map((id) => revokeToken(server.deps, actorOf(person), id)));
  await revokeAllTokens(server.deps, actorOf(person));
  const kept = await server.sql<{ id: string }>`
    select id from tokens where account_id = ${accountId} order by id`;
  const old = Array.from({ length: 95 }, (_, index) => `tok_${index + 1}`);
  expect(kept.map(({ id }) => id).toSorted()).toEqual([...ids, ...old].toSorted());
});

test("the newest ten thousand events of an account's actions are kept", async () => {
  const [rose, ruth] = [await addPerson(server, "rose"), await addPerson(server, "ruth")];
  for (const { accountId } of [rose, ruth])
    await server.sql`
      insert into events (action, account_id, actor, actor_id)
      select 'hook.added', ${rose.accountId}, 'session', ${accountId} from generate_series(1, 10050)`;
  await revokeToken(server.deps, actorOf(rose), rose.tokenId);
  const count = ({ accountId }: typeof rose) =>
    valueOf<number>(server.sql`select count(*)::int from events where actor_id = ${accountId}`);
  // With the first of her token, which she is told of for 30 days.
  expect(await count(rose)).toBe(10_001);
  expect(await count(ruth)).toBeGreaterThan(10_000);
  const [newest] = await server.sql`
    select action from events where actor_id = ${rose.accountId} order by id desc limit 1`;
  expect(newest).toEqual({ action: "token.revoked" });
});
