import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addAccount, changeQuota, getAccountId } from "./access/accounts.ts";
import { createToken, revokeAllTokens } from "./access/tokens.ts";
import { readConfig } from "./config.ts";
import { OPERATOR, operatorFor, type ForAccount, type Operator } from "./db/accounts/actors.ts";
import type { Deps } from "./deps.ts";
import { AppError, isAppError } from "./base/errors.ts";
import { CHECKS_OF_EXEC, OPERATORS_PLAN } from "./base/plans.ts";
import { startServer, type RunningServer } from "./start.ts";

const EMAIL = "exec@shipscore.invalid";
const TOKEN_NAME = "exec";

export interface ExecOptions {
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  dataDir: string | undefined;
  /** The package's folder that contains `shipscore.js`; the last folder of the PATH. */
  binDir: URL;
  writeLog: (line: string) => void;
  onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
}

/**
 * SHIPSCORE_EXEC tells the command that the server is temporary. Returns the command's exit code, or 128 + n if signal n ended it or
 * arrived before it started. Throws `command_not_found` and `command_not_executable`.
 */
export async function runWithServer(options: ExecOptions): Promise<number> {
  let early: NodeJS.Signals | undefined;
  options.onSignal((signal) => (early ??= signal));
  const folder = await mkdtemp(join(tmpdir(), "shipscore-"));
  try {
    const env = {
      SHIPSCORE_LOG_LEVEL: "error",
      SHIPSCORE_CYCLE_SECONDS: "0",
      ...options.env,
      DATABASE_URL: undefined,
    };
    const config = readConfig(env, options.dataDir ?? join(folder, "data"));
    const server = await startServer({
      config: { ...config, tls: undefined, metricsAddress: undefined },
      host: "127.0.0.1",
      port: 0,
      command: "shipscore-server exec",
      opensThreads: true,
      writeLog: options.writeLog,
    });
    // A crash of the server must not change the exit code, which is the command's own.
    const logCrash = (error: unknown) =>
      server.deps.log.error({ err: error }, "the server crashed");
    process.on("uncaughtException", logCrash);
    try {
      const token = await provideToken(server);
      const path = await provideCommand(folder, options);
      if (early) return codeOf(early);
      return await runCommand(options, {
        ...options.env,
        PATH: path,
        SHIPSCORE_EXEC: "1",
        SHIPSCORE_URL: server.url,
        SHIPSCORE_TOKEN: token,
      });
    } finally {
      // The command has ended, so no request needs an answer.
      server.abandonWork();
      await server
        .drain()
        .catch((error: unknown) =>
          server.deps.log.error({ err: error }, "the server did not end in good order"),
        );
      process.off("uncaughtException", logCrash);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Revokes the tokens of earlier runs in the same data directory. */
async function provideToken({ deps }: RunningServer): Promise<string> {
  const actor = await addAccount(deps, OPERATOR, { email: EMAIL, plan: OPERATORS_PLAN }).then(
    ({ id }) => operatorFor(id),
    (error: unknown) => reuseAccount(deps, error),
  );
  await changeQuota(deps, OPERATOR, { email: EMAIL, quota: CHECKS_OF_EXEC });
  const { token } = await createToken(deps, actor, TOKEN_NAME);
  return token;
}

async function reuseAccount(deps: Deps, error: unknown): Promise<ForAccount<Operator>> {
  if (!isAppError(error, "account_exists")) throw error;
  const actor = operatorFor(await getAccountId(deps.database.sql, EMAIL));
  await revokeAllTokens(deps, actor);
  return actor;
}

/** Adds a script to the PATH, since the package's commands may not be on it. */
async function provideCommand(folder: string, { env, binDir }: ExecOptions): Promise<string> {
  const directory = join(folder, "bin");
  const script = join(directory, "shipscore");
  await mkdir(directory);
  await writeFile(
    script,
    `#!/bin/sh\nexec "${process.execPath}" "${fileURLToPath(new URL("shipscore.js", binDir))}" "$@"\n`,
  );
  await chmod(script, 0o755);
  return [env["PATH"], directory].filter(Boolean).join(delimiter);
}

/** If a folder of the PATH is unreadable, the system reports "not permitted" for a missing command instead of "not found". */
function commandExists(file: string, path = ""): boolean {
  if (file.includes("/")) return existsSync(file);
  return path.split(delimiter).some((folder) => existsSync(join(folder, file)));
}

const codeOf = (signal: NodeJS.Signals) => 128 + constants.signals[signal];

function runCommand({ command, onSignal }: ExecOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const [file = "", ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, stdio: "inherit" });
    onSignal((signal) => child.kill(signal));
    child.once("error", (error: NodeJS.ErrnoException) => {
      const missing = error.code === "ENOENT" || !commandExists(file, env["PATH"]);
      reject(
        new AppError(missing ? "command_not_found" : "command_not_executable", { command: file }),
      );
    });
    child.once("close", (code, signal) => resolve(code ?? (signal ? codeOf(signal) : 128)));
  });
}
