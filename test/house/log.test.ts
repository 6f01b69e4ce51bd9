import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { newToken } from "../../server/access/tokens.ts";
import { AppError } from "../../server/base/errors.ts";
import { createLog } from "../../server/base/log.ts";

async function logged(write: (log: ReturnType<typeof createLog>) => void): Promise<string> {
  const lines: string[] = [];
  write(createLog("debug", (line) => lines.push(line)));
  await setImmediate();
  return lines.join("");
}

const token = newToken();

test.each([
  ["a token", token, token.slice(4, 12)],
  ["a mistyped token", `${token}x`, token.slice(4, 12)],
  ["a token percent-encoded", token.replace("_", "%5F"), token.slice(4, 12)],
  ["a token in a path", `/api/v1/${token}/x`, token.slice(4, 12)],
  ["a URL's password", "https://user:hunter2@example.com/", "hunter2"],
  ["a database's password", "postgres://shipscore:hunter2@db/x", "hunter2"],
  ["a query's value", "https://example.com/?a=1&key=hunter2", "hunter2"],
  ["a webhook's secret", "whsec_aHVu+dGVy/Mg==", "aHVu"],
  ["a webhook's secret percent-encoded", "whsec%5FaHVu%2BdGVy", "dGVy"],
  ["where e-mails end", "/unsubscribe/hunter2hunter2hunter2a", "hunter2"],
  ["where e-mails begin", "/subscribe/hunter2hunter2hunter2a", "hunter2"],
  ["a webhook of Slack", "https://hooks.slack.com/services/T1/B1/hunter2", "hunter2"],
  ["a webhook of Discord", "https://discord.com/api/webhooks/1/hunter2", "hunter2"],
  ["an Authorization header", '{"authorization":"Basic hunter2"}', "hunter2"],
])("%s is in no line, in any place", async (_, text, secret) => {
  const lines = await logged((log) => {
    log.info(text);
    log.info({ some: { deep: [text] } }, "message");
    log.error({ err: new Error(text, { cause: new Error(text) }) }, "failed");
    log.error(
      {
        err: new AppError(
          "input_invalid",
          { fault: text, value: text },
          { cause: new Error(text) },
        ),
      },
      "failed",
    );
  });
  expect(lines).not.toContain(secret);
  expect(lines.trim().split("\n")).toHaveLength(4);
  for (const line of lines.trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
});

test("text that is not secret stays", async () => {
  const lines = await logged((log) =>
    log.info({ url: "https://example.com/path", route: "/api/v1/check", ms: 12 }, "request"),
  );
  expect(JSON.parse(lines)).toMatchObject({
    url: "https://example.com/path",
    route: "/api/v1/check",
    ms: 12,
  });
});

test("an expected failure is logged with its code and parameters, an unexpected one with its stack", async () => {
  const parameters = { code: "private", host: "10.0.0.1" } as const;
  const refused = await logged((log) => log.warn({ err: new AppError("url_refused", parameters) }));
  expect(JSON.parse(refused)).toMatchObject({ err: { code: "url_refused", parameters } });
  expect(await logged((log) => log.warn({ err: new AppError("busy", {}) }))).not.toContain("at ");
  expect(await logged((log) => log.error({ err: new TypeError("a bug") }))).toContain(
    "log.test.ts",
  );
});
