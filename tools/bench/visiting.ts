import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Visits } from "./visitor.ts";

export interface Visitor {
  visit(count: number, atOnce?: number): Promise<Visits>;
  stop(): Promise<void>;
}

const VISITOR = fileURLToPath(new URL("./visitor.ts", import.meta.url));

export async function startVisitor(
  kind: string,
  url: string,
  authorityFile: string,
): Promise<Visitor> {
  const { PATH, HOME } = process.env;
  const child = fork(VISITOR, [kind, url], {
    execArgv: ["--import", "tsx"],
    env: { PATH, HOME, NODE_EXTRA_CA_CERTS: authorityFile },
  });
  const exited = once(child, "exit");
  const kill = () => child.kill();
  process.once("exit", kill);
  const reply = async (): Promise<{ visits?: Visits; error?: string }> => {
    const [message] = await Promise.race([once(child, "message"), exited.then(() => [])]);
    return message ?? { error: `the visitor ${kind} ended` };
  };
  const { error } = await reply();
  if (error !== undefined) throw new Error(error);
  return {
    async visit(count, atOnce = 1) {
      child.send({ count, atOnce });
      const answered = await reply();
      if (!answered.visits) throw new Error(`${kind}: ${answered.error}`);
      return answered.visits;
    },
    async stop() {
      process.off("exit", kill);
      child.kill();
      await exited;
    },
  };
}
