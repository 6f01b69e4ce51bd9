/*
 * An account that floods a host of its own that accepts and says nothing: `flooders.ts SERVER TOKEN PATH`. At each
 * message it asks for 600 checks at once, and tells how they were answered.
 */
import { createServer, type AddressInfo } from "node:net";
import { Pool } from "undici";

const FLOOD = 600;

const [server = "", token = "", path = ""] = process.argv.slice(2);
const silent = createServer((socket) => socket.on("error", () => socket.destroy()).resume());
await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
const { port } = silent.address() as AddressInfo;
const pool = new Pool(server, { connections: FLOOD });

async function check(): Promise<number> {
  const { statusCode, body } = await pool.request({
    path: "/api/v1/check",
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ url: `https://127.0.0.1:${port}${path}` }),
  });
  await body.dump();
  return statusCode;
}

async function flood(): Promise<string> {
  const statuses = await Promise.all(Array.from({ length: FLOOD }, check));
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} times ${status}`).join(", ");
}

process.on("message", () => {
  flood().then(
    (answers) => process.send?.(answers),
    (error: unknown) => process.send?.(String(error)),
  );
});
