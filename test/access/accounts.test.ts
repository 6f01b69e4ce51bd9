import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addAccount, changePlan, Email } from "../../server/access/accounts.ts";
import { Name } from "../../server/access/name.ts";
import { OPERATOR } from "../../server/db/actors.ts";
import { Environment, Label } from "../../server/projects/deployments.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const ANN = { email: "ann@example.com", plan: "free" } as const;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("an account that is not there has no plan to be changed", async () => {
  await expect(changePlan(server.deps, OPERATOR, ANN)).rejects.toMatchObject({
    code: "account_not_found",
    parameters: { email: ANN.email },
  });
});

test("an address has one account, whose plan changes at once", async () => {
  const { id } = await addAccount(server.deps, OPERATOR, ANN);
  await expect(addAccount(server.deps, OPERATOR, { ...ANN, plan: "team" })).rejects.toMatchObject({
    code: "account_exists",
    parameters: { email: ANN.email },
  });
  expect(await changePlan(server.deps, OPERATOR, { ...ANN, plan: "pro" })).toEqual({
    id,
    email: ANN.email,
    plan: "pro",
  });
  expect(await server.sql`select id, plan from accounts`).toEqual([{ id, plan: "pro" }]);
});

describe("what may be typed", () => {
  const outcomeOf = (schema: typeof Name | typeof Email, text: string) => {
    const parsed = schema.safeParse(text);
    return parsed.success ? { text: parsed.data } : parsed.error.issues[0]?.message;
  };
  test.each<[what: string, schema: typeof Name | typeof Email, text: string, outcome: unknown]>([
    ["an address", Email, "ann", "email_invalid"],
    ["an address", Email, " Ann@Example.com ", { text: "ann@example.com" }],
    ["a name", Name, " ", "name_empty"],
    ["a name", Name, "x".repeat(101), "name_too_long"],
    ["a name", Name, "a\tb", "name_has_controls"],
    ["a name", Name, ` ${"x".repeat(100)} `, { text: "x".repeat(100) }],
    ["an environment", Environment, "Big One", "environment_invalid"],
    ["an environment", Environment, "staging-2", { text: "staging-2" }],
    ["a commit or ref", Label, "", "label_invalid"],
    ["a commit or ref", Label, "a\nb", "label_invalid"],
    ["a commit or ref", Label, "x".repeat(201), "label_invalid"],
    ["a commit or ref", Label, "🚢".repeat(200), { text: "🚢".repeat(200) }],
  ])("as %s", (_what, schema, text, outcome) => {
    expect(outcomeOf(schema, text)).toEqual(outcome);
  });
});
