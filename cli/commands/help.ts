import { Argument, type Command } from "commander";
import type { Choose } from "../terminal/command.ts";
import type { Context } from "../terminal/context.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";

type Render = () => Promise<string>;

const TOPICS: Readonly<Record<string, Render>> = {
  "exit-codes": async () => (await import("../topics/exit-codes.ts")).formatExitCodes(),
  environment: async () => (await import("../topics/environment.ts")).ENVIRONMENT,
  output: async () => (await import("../topics/output.ts")).formatOutput(),
  ci: async () => (await import("../topics/ci.ts")).CI,
};

export function declareHelp(command: Command, choose: Choose): void {
  const commands =
    command.parent
      ?.createHelp()
      .visibleCommands(command.parent)
      .map((each) => each.name()) ?? [];
  const topic = new Argument("[topic]", "a command, or one of the topics below");
  command
    .addArgument(topic.choices([...commands, ...Object.keys(TOPICS)]))
    .action((name?: string) => {
      const render = name === undefined ? undefined : TOPICS[name];
      if (render === undefined) command.parent?.help();
      else choose({}, (context) => runHelp(context, render));
    });
}

async function runHelp({ io }: Context, render: Render): Promise<ExitCode> {
  await io.print(await render());
  return EXIT.done;
}
