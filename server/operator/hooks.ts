import * as z from "zod";
import { HOOK_PROVIDERS } from "../base/hook-providers.ts";
import { OPERATOR } from "../db/accounts/actors.ts";
import { defineById, defineList, defineOperation, type AddCommands } from "./command.ts";
import { column, dateColumn, printFields, printTable } from "./output.ts";

const SECRET_STDIN = [
  "--secret-stdin",
  "read the secret that the provider chose from standard input",
] as const;

const SHOWN_ONCE = printFields(
  ["id", "url", "secret"],
  () =>
    "Enter the URL and the secret where the provider keeps its webhooks. The secret is not shown again.",
);

export const addHookCommands: AddCommands = (program, operate) => {
  const group = program
    .command("hook")
    .description("manage the hooks to which the hosts of a project report deployments");
  operate(
    group
      .command("add <project> <provider>")
      .description(
        `add a hook for one of ${HOOK_PROVIDERS.join(", ")}; print its id, its URL and its secret, which is shown once`,
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
  operate(group.command("list <project>").description("list a project's hooks"), {
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
  operate(
    group.command("show <id>").description("show a hook and the project that it belongs to"),
    {
      print: printTable([
        column("ID", "id"),
        column("PROVIDER", "provider"),
        column("PROJECT", "projectId"),
      ]),
      async load() {
        const { getHook } = await import("../projects/hooks.ts");
        return defineById(getHook);
      },
    },
  );
  operate(
    group
      .command("rotate <id>")
      .description("give a hook a new secret and print it; the one before it is good for 24 hours")
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
        "report statuses of the commits that a hook of github or gitlab announces, once the credential may write them",
      )
      .option("--token-stdin", "read a token that may write statuses from standard input")
      .option("--app <id>", "the id of a GitHub app, in place of a token")
      .option("--installation <id>", "the id of the app's installation")
      .option("--key-stdin", "read the app's private key, in PEM, from standard input")
      .option(
        "--api <url>",
        "the API of GitHub Enterprise, https://HOST/api/v3, or a GitLab's, https://HOST/api/v4",
      )
      .option(
        "--context <name>",
        "the context of previews whose environment has another name each time",
      )
      .option("--comment", "keep the report in one comment on the pull request too")
      .option("--off", "switch status reporting off, and forget the credential"),
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
      .description(
        "list the last 50 statuses of commits that a hook came to, and what came of each",
      ),
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
      .description("remove a hook; what is sent to it is refused from then on"),
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
      .description("list the last 50 events that a hook received, and what came of each"),
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
