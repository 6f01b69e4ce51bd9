import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import { AppError } from "../base/errors.ts";
import { defineById, defineList, defineOperation, type AddCommands } from "./command.ts";
import { column, dateColumn, printFields, printTable, type ListedRow } from "./output.ts";

const FIT: readonly string[] = ["ship", "ship_with_warnings"];

const describeVerified = (result: ListedRow): string => {
  const { score, verdict } = result as { score?: number; verdict?: string | null };
  return verdict === undefined ? "" : `Score ${score}, ${verdict?.replaceAll("_", " ")}.`;
};

export const addDeploymentCommands: AddCommands = (program, operate) => {
  const group = program
    .command("deployment")
    .description("record deployments and read their verdicts");
  operate(
    group
      .command("add <project>")
      .description("add a deployment, queue its check and print its ID")
      .requiredOption("--url <url>", "the deployment's https URL")
      .option("--commit <sha>", "the deployed commit")
      .option("--ref <ref>", "the deployed branch or tag")
      .option("--environment <name>", "its environment", "production")
      .option("--wait", "wait until its check has finished"),
    {
      inputOf: ({ project, ...rest }) => ({ ...rest, projectId: project }),
      print: printFields("id", describeVerified),
      isFailure: ({ verdict = "ship" }: ListedRow) => !FIT.includes(String(verdict)),
      async load() {
        const { findDeployment } = await import("../db/deployments/deployments.ts");
        const { NewDeployment, recordDeployment } = await import("../projects/deployments.ts");
        const { waitForVerification } = await import("../watching/deployments.ts");
        return defineOperation({
          input: NewDeployment.extend({ wait: z.boolean().default(false) }),
          async run(deps, { wait, ...input }) {
            const deployment = await recordDeployment(deps, OPERATOR, input);
            if (!wait) return deployment;
            await waitForVerification(deps, deployment.id);
            const verified = await findDeployment(deps.database.sql, deployment.id);
            const { score = null, verdict = null } = verified ?? {};
            return { ...deployment, score, verdict };
          },
        });
      },
    },
  );
  operate(
    group
      .command("list <project>")
      .description("list a project's last 50 deployments, newest first")
      .option("--previews", "list its previews instead"),
    {
      print: printTable([
        column("ID", "id"),
        dateColumn("DEPLOYED", "deployedAt", "minute"),
        column("STATE", "state"),
        column("SCORE", "score"),
        column("VERDICT", "verdict"),
        column("ENVIRONMENT", "environment"),
        column("REF", "ref"),
        column("COMMIT", "commit"),
        column("URL", "url"),
      ]),
      async load() {
        const { listDeployments } = await import("../db/deployments/deployments.ts");
        return defineList(listDeployments, "previews");
      },
    },
  );
  operate(
    group.command("show <id>").description("show a deployment's verdict, or why it has none"),
    {
      print: printTable([
        column("STATE", "state"),
        column("SCORE", "score"),
        column("VERDICT", "verdict"),
        column("TRIES", "tries"),
        column("URL", "url"),
        column("REASON", "reason"),
      ]),
      async load() {
        const { findDeployment } = await import("../db/deployments/deployments.ts");
        return defineById(async ({ database: { sql } }, id) => {
          const deployment = await findDeployment(sql, id);
          if (deployment === undefined) throw new AppError("deployment_not_found", { id });
          const { failure, ...rest } = deployment;
          return { ...rest, reason: failure?.en ?? null };
        });
      },
    },
  );
};
