import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { expectGoodPage, visitAs } from "../harness/browser.ts";
import { addPerson, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const TOKEN = /psk_[0-9A-Za-z]{40}/;

const server = use(startTestServer);
let people = 0;

const newPerson = () => addPerson(server, `person-${++people}`);
const countActive = async ({ accountId }: Person) => {
  const [row] = await server.sql<{ count: number }>`
    select count(*)::int as count from tokens where account_id = ${accountId} and revoked_at is null`;
  return row?.count;
};

async function create(page: Page, name: string): Promise<string> {
  await page.goto("/settings/api");
  await page.getByLabel("Token name").fill(name);
  await page.getByRole("button", { name: "Create a token" }).click();
  return page.getByLabel(name, { exact: true }).inputValue();
}

test("a new token is copied by its button, and used", async () => {
  const person = await newPerson();
  const page = await visitAs(server, person);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const token = await create(page, "laptop");
  expect(token).toMatch(TOKEN);
  await expectGoodPage(page, "api-new-token");
  await page.getByRole("button", { name: "Copy laptop" }).click();
  await page.getByRole("status").getByText("Copied").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(token);
  expect((await server.request("/api/v1/projects", { token })).status).toBe(200);
  await page.getByRole("button", { name: "Copy The command" }).click();
  const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
  await expect.poll(copied, { timeout: 30_000 }).toContain("shipscore check https://example.com/");
});

test.each<[how: string, leave: (page: Page) => Promise<unknown>]>([
  ["reloaded", (page) => page.reload()],
  [
    "gone back to",
    async (page) => {
      await page.goto("/about/checks");
      await page.goBack();
    },
  ],
  [
    "gone back to and reloaded",
    async (page) => {
      await page.getByRole("link", { name: "API", exact: true }).click();
      await page.goBack();
      await page.reload();
    },
  ],
])(
  "after leaving the page, the new token is shown nowhere, and no other is created %s",
  async (_how, leave) => {
    const person = await newPerson();
    const page = await visitAs(server, person);
    const token = await create(page, "laptop");
    await leave(page);
    await page.getByRole("button", { name: "Revoke laptop" }).waitFor();
    expect(await page.content()).not.toContain(token);
    expect(await page.getByLabel("laptop", { exact: true }).count()).toBe(0);
    expect(await countActive(person)).toBe(2);
  },
);

test("a double click creates one token", async () => {
  const person = await newPerson();
  const page = await visitAs(server, person);
  await page.goto("/settings/api");
  await page.getByLabel("Token name").fill("twice");
  await page.getByRole("button", { name: "Create a token" }).dblclick();
  await page.getByRole("button", { name: "Revoke twice" }).waitFor();
  expect(await countActive(person)).toBe(2);
});

test("without script a token can be selected, and the copy button has no text", async () => {
  const page = await visitAs(server, await newPerson(), { hasScript: false });
  expect(await create(page, "laptop")).toMatch(TOKEN);
  expect(await page.getByRole("button", { name: /^Copy/ }).count()).toBe(0);
  await page.getByLabel("laptop", { exact: true }).selectText();
});

test.each(["fr", "en"] as const)(
  "five active tokens, one revoked, a rejected name (%s)",
  async (language) => {
    const person = await newPerson();
    const page = await visitAs(server, person, { language });
    await server.sql`
    insert into tokens (id, account_id, name, fingerprint, last_used_at, revoked_at)
    select 'tok_' || lpad(n || ${person.accountId.slice(-8)}::text, 20, '0'), ${person.accountId},
      case n when 1 then repeat('long', 25) else 'machine ' || n end, sha256((n || ${person.accountId}::text)::bytea),
      now() - n * interval '3 hours', case when n > 4 then now() - n * interval '1 day' end
    from generate_series(1, 7) n`;
    await page.goto("/settings/api");
    await expectGoodPage(page, `api-full-${language}`);
    await page.locator("form[data-once] button").click();
    await page.locator("#name-problem").waitFor();
    await expectGoodPage(page, `api-refused-${language}`);
  },
);
