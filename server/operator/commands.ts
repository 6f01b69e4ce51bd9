import type { Command } from "commander";
import { printJson, printJsonList, printList, type Column, type Output } from "./output.ts";
import { ACCOUNTS, DEPLOYMENT, PROJECTS, ROUND, TOKENS, type Row } from "./columns.ts";
import type { OperationName } from "./operations.ts";

type Print = (output: Output, result: unknown) => void | Promise<void>;
type ReadInput = (args: string[], options: Row) => Row;

type Perform = (name: OperationName, input: Row) => Promise<unknown>;
type Work = (perform: Perform) => Promise<void>;
/** Lends what performs operations in the process that holds the database. */
type WithPerform = (command: string, dataDir: string | undefined, work: Work) => Promise<void>;

interface CommonOptions {
  dataDir?: string;
  json?: boolean;
}

const printKey =
  (key: string): Print =>
  (output, result) =>
    void output.stdout.write(`${String((result as Row)[key])}\n`);

/** A list, page by page, until one is empty; a server from before there were pages gives the whole list each time. */
async function* readPages(perform: (after: unknown) => Promise<unknown>): AsyncGenerator<Row[]> {
  let after: unknown = null;
  for (;;) {
    const page = (await perform(after)) as Row[];
    const last = page.at(-1)?.["id"];
    if (last === undefined || last === after) return;
    yield page;
    after = last;
  }
}

/** The operator's commands: words in, an operation performed by whoever holds the database, its result printed. */
export function addOperatorCommands(program: Command, run: Output, withPerform: WithPerform): void {
  function addCommand(
    parent: Command,
    words: string,
    description: string,
    name: OperationName,
    inputOf: ReadInput,
    show: (perform: (more?: Row) => Promise<unknown>, isJson: boolean) => Promise<void>,
  ): Command {
    const command = parent
      .command(words)
      .description(description)
      .option("--json", "print JSON")
      .option("--data-dir <folder>", "folder of the embedded database");
    return command.action(async (...given: unknown[]) => {
      const options = command.opts<CommonOptions & Row>();
      const args = given.slice(0, command.registeredArguments.length) as string[];
      const input = inputOf(args, options);
      await withPerform(name, options.dataDir, (perform) =>
        show(
          async (more) => JSON.parse(JSON.stringify(await perform(name, { ...input, ...more }))),
          options.json ?? false,
        ),
      );
    });
  }

  function define(
    parent: Command,
    words: string,
    description: string,
    name: OperationName,
    print: Print,
    inputOf: ReadInput,
  ): Command {
    return addCommand(parent, words, description, name, inputOf, async (perform, isJson) => {
      const result = await perform();
      await (isJson ? printJson : print)(run, result);
    });
  }

  function defineList(
    parent: Command,
    words: string,
    description: string,
    name: OperationName,
    columns: Column<Row>[],
    inputOf: ReadInput,
  ): Command {
    return addCommand(parent, words, description, name, inputOf, async (perform, isJson) => {
      const pages = readPages((after) => perform({ after }));
      await (isJson ? printJsonList(run, pages) : printList(run, pages, columns));
    });
  }

  const account = program.command("account").description("the accounts, their plans and quotas");
  define(
    account,
    "add <email>",
    "add an account",
    "account add",
    printKey("id"),
    ([email], { plan }) => ({ email, plan }),
  ).requiredOption("--plan <plan>", "free, pro or team");
  define(
    account,
    "plan <email> <plan>",
    "change an account's plan, at once",
    "account plan",
    printKey("plan"),
    ([email, plan]) => ({ email, plan }),
  );
  defineList(
    account,
    "list",
    "list accounts: plan, used/limit of the month, active tokens",
    "account list",
    ACCOUNTS,
    () => ({}),
  );

  const token = program.command("token").description("the tokens that clients send");
  define(
    token,
    "create <email>",
    "create a token and print it, once",
    "token create",
    printKey("token"),
    ([email], { name }) => ({ email, name }),
  ).requiredOption("--name <name>", "what the token is for");
  defineList(
    token,
    "list <email>",
    "list an account's tokens",
    "token list",
    TOKENS,
    ([email]) => ({ email }),
  );
  define(
    token,
    "revoke <id>",
    "revoke a token, for good and at once",
    "token revoke",
    printKey("id"),
    ([id]) => ({ id }),
  );

  const project = program
    .command("project")
    .description("the projects, who sees them and what is watched");
  define(
    project,
    "add <email>",
    "add a project and print its id",
    "project add",
    printKey("id"),
    ([email], { name, url }) => ({ email, name, url }),
  )
    .requiredOption("--name <name>", "the project's name")
    .requiredOption("--url <url>", "its address, https");
  defineList(project, "list", "list all projects", "project list", PROJECTS, () => ({}));
  define(
    project,
    "share <id> <email>",
    "invite an account",
    "project share",
    printKey("id"),
    ([id, email]) => ({ id, email }),
  );
  define(
    project,
    "accept <id> <email>",
    "accept an invitation for an account",
    "project accept",
    printKey("id"),
    ([id, email]) => ({ id, email }),
  );
  define(
    project,
    "unshare <id> <email>",
    "take an invitation or membership back",
    "project unshare",
    printKey("id"),
    ([id, email]) => ({ id, email }),
  );
  define(
    project,
    "watch <id> <url>",
    "look at one more URL in every cycle",
    "project watch",
    printKey("id"),
    ([id, url]) => ({ id, url }),
  );
  define(
    project,
    "unwatch <id> <url>",
    "stop looking at a URL; closes its incident",
    "project unwatch",
    printKey("id"),
    ([id, url]) => ({ id, url }),
  );

  const deployment = program.command("deployment").description("the deployments of a project");
  define(
    deployment,
    "record <id>",
    "record a deployment, queue its verification and print its id",
    "deployment record",
    printKey("id"),
    ([projectId], options) => ({
      projectId,
      url: options["url"],
      environment: options["environment"],
      commit: options["commit"] ?? null,
      ref: options["ref"] ?? null,
      wait: options["wait"] ?? false,
    }),
  )
    .requiredOption("--url <url>", "where it was deployed, https")
    .option("--commit <sha>", "the commit deployed")
    .option("--ref <ref>", "the branch or tag deployed")
    .option("--environment <name>", "production, or another", "production")
    .option("--wait", "return when its verification has ended");
  define(
    deployment,
    "show <id>",
    "tell a deployment's verdict, or why it is not verified",
    "deployment show",
    (output, result) => printList(output, [[result as Row]], DEPLOYMENT),
    ([id]) => ({ id }),
  );

  define(
    program,
    "round",
    "look at every watched URL and verify every queued deployment once, now",
    "round",
    (to, entries) => printList(to, [entries as Row[]], ROUND),
    () => ({}),
  );
  define(
    program,
    "evidence <check>",
    "print what a check saw, as JSON that `rescore` reads",
    "evidence",
    printJson,
    ([id]) => ({ id }),
  );
}
