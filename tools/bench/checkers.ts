/* Clients that check one URL repeatedly, in a separate process: `checkers.ts SERVER URL`, with tokens over IPC. */
import { Client } from "undici";

const [server = "", url = ""] = process.argv.slice(2);
let stop = new AbortController();

async function checkRepeatedly(token: string): Promise<number> {
  const client = new Client(server);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  let count = 0;
  while (!stop.signal.aborted) {
    const { statusCode, body } = await client.request({
      path: "/api/v1/check",
      method: "POST",
      headers,
      body: JSON.stringify({ url }),
    });
    const answer = await body.text();
    if (statusCode !== 200) throw new Error(`a check was answered with ${statusCode}: ${answer}`);
    count++;
  }
  await client.close();
  return count;
}

process.on("message", (tokens: readonly string[] | "stop") => {
  if (tokens === "stop") return stop.abort();
  stop = new AbortController();
  Promise.all(tokens.map(checkRepeatedly)).then(
    (counts) => process.send?.({ checks: counts.reduce((sum, count) => sum + count, 0) }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
