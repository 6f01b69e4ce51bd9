import { expect, test } from "vitest";
import { addAccount, changePlan } from "../../server/access/accounts.ts";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { useServer } from "../harness/server.ts";

const ANN = { email: "ann@example.com", plan: "free" } as const;

const server = useServer();

test("the plan of an unknown account cannot be changed", async () => {
  await expect(changePlan(server.deps, OPERATOR, ANN)).rejects.toMatchObject({
    code: "account_not_found",
    parameters: { email: ANN.email },
  });
});

test("an address has one account, and a change of its plan applies immediately", async () => {
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
