import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { findClosedPort, getAuthority } from "./site.ts";
import { environmentOf, findProgram } from "./unpacked.ts";

/** OpenSSL cannot serve TLS without RFC 5746. GnuTLS can. */
export const UNSAFE_SERVER = findProgram(["gnutls-serv"]);

const PRIORITY = "NORMAL:-VERS-ALL:+VERS-TLS1.2:%DISABLE_SAFE_RENEGOTIATION";

/** Starts a server of TLS 1.2 without RFC 5746, which answers every path with a page about the connection. */
export async function startUnsafeServer(
  hosts: readonly string[],
  priority = PRIORITY,
): Promise<{ url: string; close(): Promise<void> }> {
  const program = UNSAFE_SERVER ?? "";
  const folder = await mkdtemp(join(tmpdir(), "shipscore-gnutls-"));
  const { cert, key } = await (await getAuthority()).issue({ hosts });
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  await writeFile(files.cert, cert);
  await writeFile(files.key, key);
  const port = await findClosedPort();
  const running = execa(
    program,
    [
      "--http",
      `--port=${port}`,
      `--x509certfile=${files.cert}`,
      `--x509keyfile=${files.key}`,
      `--priority=${priority}`,
    ],
    { env: environmentOf(program), reject: false, buffer: false },
  );
  await new Promise<void>((resolve, reject) => {
    let said = "";
    running.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("...done")) resolve();
    });
    running.once("exit", () => reject(new Error(`gnutls-serv ended: ${said}`)));
  });
  return {
    url: `https://${hosts[0] ?? "127.0.0.1"}:${port}/`,
    async close() {
      running.kill();
      await running;
      await rm(folder, { recursive: true });
    },
  };
}
