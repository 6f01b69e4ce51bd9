import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addAccount, runOrThrow, startServerProcess } from "./process.ts";

/** A server in a process of its own, on an embedded database, with an account of each kind. */
export interface McpServerProcess extends AsyncDisposable {
  readonly url: string;
  /** The token of an account with the plan Team and the project `Shop`. */
  readonly token: string;
  /** The token of an account with the plan Pro. */
  readonly proToken: string;
}

export async function startMcpServer(
  env: Readonly<Record<string, string>> = {},
): Promise<McpServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), "sc-mcp-"));
  const settings = { SHIPSCORE_DATA_DIR: folder, ...env };
  const server = await startServerProcess(settings);
  const token = await addAccount(settings, "ada@example.com");
  const proToken = await addAccount(settings, "pro@example.com", "pro");
  const project = ["--name", "Shop", "--url", "https://shop.example.com/"];
  await runOrThrow(["project", "add", "ada@example.com", ...project], settings);
  return {
    url: server.url,
    token,
    proToken,
    async [Symbol.asyncDispose]() {
      await server.end("SIGTERM");
      await rm(folder, { recursive: true });
    },
  };
}
