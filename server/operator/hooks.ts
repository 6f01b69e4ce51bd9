import * as z from "zod";
import { HOOK_PROVIDERS } from "../base/hook-providers.ts";
import { OPERATOR } from "../db/accounts/actors.ts";
import { defineById, defineList, defineOperation, type AddCommands } from "./command.ts";
import { column, dateColumn, printFields, printTable } from "./output.ts";

const SECRET_STDIN = ["--secret-stdin", "read the provider's secret from standard input"] as const;

const SHOWN_ONCE = printFields(
  ["id", "url", "secret"],
  () =>
    "Enter the URL and the secret in the provider's webhook settings. The secret is not shown again.",
);

export const addHookCommands: AddCommands = (program, operate) => {
  const group = program
    .command("hook")
    .description("manage incoming webhooks, by which providers report deployments");
  operate(
    group
      .command("add <project> <provider>")
      .description(
        `add an incoming webhook for one of ${HOOK_PROVIDERS.join(", ")}; print its ID, its URL and its secret, which is shown once`,
      )
      .option(...SECRET_STDIN),
    {
      print: SHOWN_ONCE,
      async load() {
        const { addHook, HookProviderName, HookSecret } = await import("../projects/hooks.ts");
        return defineOperation({
          input: z.object({
            project: z.string(),
            provider: HookProviderName,
            secret: HookSecret,
          }),
          run: (deps, { project, ...hook }) => addHook(deps, OPERATOR, project, hook),
        });
      },
    },
  );
  operate(group.command("list <project>").description("list a project's incoming webhooks"), {
    print: printTable([
      column("ID", "id"),
      column("PROVIDER", "provider"),
      column("REPOSITORY", "repository"),
      column("REPORTING", "reporting"),
    ]),
    async load() {
      const { listHooks } = await import("../db/deployments/hooks.ts");
      return defineList(listHooks);
    },
  });
  operate(group.command("show <id>").description("show an incoming webhook and its project"), {
    print: printTable([
      column("ID", "id"),
      column("PROVIDER", "provider"),
      column("PROJECT", "projectId"),
    ]),
    async load() {
      const { getHook } = await import("../projects/hooks.ts");
      return defineById(getHook);
    },
  });
  operate(
    group
      .command("rotate <id>")
      .description(
        "give an incoming webhook a new secret and print it; the old one stays valid for 24 hours",
      )
      .option(...SECRET_STDIN),
    {
      print: SHOWN_ONCE,
      async load() {
        const { HookSecret, rotateHook } = await import("../projects/hooks.ts");
        return defineOperation({
          input: z.object({ id: z.string(), secret: HookSecret }),
          run: (deps, { id, secret }) => rotateHook(deps, OPERATOR, id, secret),
        });
      },
    },
  );
  operate(
    group
      .command("reporting <hook> [repository]")
      .description(
        "report commit statuses of the deployments that an incoming webhook of github or gitlab receives; the token or app key is tested first",
      )
      .option("--token-stdin", "read a token that may write statuses from standard input")
      .option("--app <id>", "the ID of a GitHub app, instead of a token")
      .option("--installation <id>", "the ID of the app's installation")
      .option("--key-stdin", "read the app's private key, in PEM, from standard input")
      .option(
        "--api <url>",
        "the API URL of GitHub Enterprise, https://HOST/api/v3, or of GitLab, https://HOST/api/v4",
      )
      .option(
        "--context <name>",
        "a fixed context for previews whose environment has a new name each time",
      )
      .option("--comment", "also write the report in a comment on the pull request")
      .option("--off", "turn status reporting off and delete the token or app key"),
    {
      print: printFields("said"),
      async load() {
        const { setStatusReporting, stopStatusReporting, TypedReporting } =
          await import("../statuses/status-reporting.ts");
        return defineOperation({
          input: TypedReporting,
          run: (deps, { hook, off, repository = "", ...wanted }) =>
            off
              ? stopStatusReporting(deps, OPERATOR, hook)
              : setStatusReporting(deps, OPERATOR, hook, { ...wanted, repository }),
        });
      },
    },
  );
  operate(
    group
      .command("statuses <hook>")
      .description("list the last 50 commit statuses of an incoming webhook, with their results"),
    {
      inputOf: ({ hook }) => ({ id: hook }),
      print: printTable([
        column("ID", "id"),
        dateColumn("AT", "at", "minute"),
        ["COMMIT", ({ commit }) => String(commit), ({ commit }) => String(commit).slice(0, 8)],
        column("CONTEXT", "context"),
        column("STATE", "state"),
        column("SENT", "sent"),
        column("DESCRIPTION", "description"),
        column("ERROR", "error"),
      ]),
      async load() {
        const { listStatuses } = await import("../db/deployments/commit-statuses.ts");
        const { getHook } = await import("../projects/hooks.ts");
        return defineById(async (deps, id) => {
          await getHook(deps, id);
          return listStatuses(deps.database.sql, id);
        });
      },
    },
  );
  operate(
    group
      .command("remove <id>")
      .description("remove an incoming webhook; its URL then refuses everything"),
    {
      print: printFields("id"),
      async load() {
        const { removeHook } = await import("../projects/hooks.ts");
        return defineById((deps, id) => removeHook(deps, OPERATOR, id));
      },
    },
  );
  operate(
    group
      .command("deliveries <id>")
      .description("list the last 50 events that an incoming webhook received, with their results"),
    {
      print: printTable([
        dateColumn("AT", "at", "minute"),
        column("EVENT", "event"),
        column("OUTCOME", "outcome"),
      ]),
      async load() {
        const { listDeliveries } = await import("../db/deployments/hook-deliveries.ts");
        const { getHook } = await import("../projects/hooks.ts");
        return defineById(async (deps, id) => {
          await getHook(deps, id);
          return listDeliveries(deps.database.sql, id);
        });
      },
    },
  );
};
