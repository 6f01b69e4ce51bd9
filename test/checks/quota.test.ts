import { describe, expect, test } from "vitest";
import { secondsToNextMonth } from "../../server/checks/quota.ts";
import { giveExpiredSlotsBack, giveSlotBack } from "../../server/db/checks/checks.ts";
import { addPerson } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const site = use(() =>
  startSite({
    routes: {
      "/": { headers: { "content-type": "text/html" }, body: "<!doctype html><title>x</title>" },
    },
  }),
);
const server = useServer();

const check = (token: string, url = site.url) =>
  server.request("/api/v1/check", { token, method: "POST", body: { url } });
const countUsedChecks = async (email: string) => {
  const accounts = await server.perform<{ email: string; used: number; limit: number }[]>(
    "account list",
    {},
  );
  const { used, limit } = accounts.find((account) => account.email === email) ?? {};
  return `${used}/${limit}`;
};

test("of 200 parallel checks with 30 left in the quota exactly 30 run", async () => {
  const { token, email } = await addPerson(server, "fred", "free");
  const answers = await Promise.all(Array.from({ length: 200 }, () => check(token)));
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  // Over its bounds a server asks to come back; that costs nothing, and whoever does is served or refused by the quota.
  let waiting = count(503);
  while (waiting > 0) {
    const again = await Promise.all(Array.from({ length: waiting }, () => check(token)));
    answers.push(...again);
    waiting = again.filter(({ status }) => status === 503).length;
  }
  expect([count(200), count(429), count(200) + count(429) + count(503)]).toEqual([
    30,
    170,
    answers.length,
  ]);
  expect(await countUsedChecks(email)).toBe("30/30");
  const refusal = answers.find(({ status }) => status === 429);
  expect(await refusal?.json()).toEqual({
    error: expect.stringContaining("30 sur 30"),
    quota: { used: 30, limit: 30, remaining: 0 },
  });
  const wait = Number(refusal?.headers.get("retry-after"));
  expect(Math.abs(wait - secondsToNextMonth(new Date()))).toBeLessThan(60);
});

test.each([
  ["2026-12-31T23:59:59.000Z", 1],
  ["2026-11-30T00:00:00.001Z", 86_400],
  ["2028-02-01T00:00:00.000Z", 29 * 86_400],
])("at %s the next month begins in %d s", (now, seconds) => {
  expect(secondsToNextMonth(new Date(now))).toBe(seconds);
});

describe("these do not count:", () => {
  test("a rejected URL", async () => {
    const { token, email } = await addPerson(server, "rose", "free");
    for (const url of [
      "http://example.com/",
      "https://10.0.0.1/",
      "https://user@example.com/",
      "nonsense",
      "",
    ]) {
      expect((await check(token, url)).status).toBe(400);
    }
    expect(await countUsedChecks(email)).toBe("0/30");
  });

  test("a check whose server died, once its lease ends", async () => {
    const { token, email } = await addPerson(server, "dora", "free");
    await check(token);
    await server.sql`update checks set state = 'running', lease_until = now() + interval '1 hour' where account_id = (select id from accounts where email = ${email})`;
    await giveExpiredSlotsBack(server.sql);
    expect(await countUsedChecks(email)).toBe("1/30");
    await server.sql`update checks set lease_until = now() - interval '1 second' where account_id = (select id from accounts where email = ${email})`;
    await Promise.all([giveExpiredSlotsBack(server.sql), giveExpiredSlotsBack(server.sql)]);
    expect(await countUsedChecks(email)).toBe("0/30");
  });

  test("a check given back twice: it is returned once, to the month in which it counted", async () => {
    const { token, email } = await addPerson(server, "mona", "free");
    const { id } = (await (await check(token)).json()) as { id: string };
    await server.sql`update checks set state = 'running', month = '2020-01-01' where id = ${id}`;
    await server.sql`insert into usage (account_id, month, used) select id, '2020-01-01', 7 from accounts where email = ${email}`;
    await giveSlotBack(server.sql, id);
    await giveSlotBack(server.sql, id);
    expect(await countUsedChecks(email)).toBe("1/30");
    const [row] =
      await server.sql`select used from usage join accounts on id = account_id where email = ${email} and month = '2020-01-01'`;
    expect(row).toEqual({ used: 6 });
  });
});

test("a change of plan applies immediately; after a downgrade the count may exceed the limit", async () => {
  const { token, email } = await addPerson(server, "paul", "pro");
  await server.sql`insert into usage (account_id, month, used) select id, date_trunc('month', now() at time zone 'utc'), 40 from accounts where email = ${email}`;
  expect(((await (await check(token)).json()) as { quota: object }).quota).toEqual({
    used: 41,
    limit: 300,
    remaining: 259,
  });
  await server.perform("account edit", { email, plan: "free" });
  const refused = await check(token);
  expect([refused.status, ((await refused.json()) as { quota: object }).quota]).toEqual([
    429,
    { used: 41, limit: 30, remaining: 0 },
  ]);
});
