import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, inject, test } from "vitest";
import { runServerCommand } from "../harness/process.ts";
import { addPerson } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

describe.runIf(inject("database") === "embedded")(
  "a command that a running server performs",
  () => {
    const server = useServer();
    const alice = use(() => addPerson(server, "alice"));

    const run = (...words: string[]) => runServerCommand(words, server.database.env);
    const logged = () => server.log.join("");

    /** Sends a line to the admin socket, as a command of any version does, and returns the reply. */
    async function call(line: string): Promise<unknown> {
      const socket = connect(join(server.database.env["SHIPSCORE_DATA_DIR"] ?? "", "admin.sock"));
      socket.write(`${line}\n`);
      const [, reply = ""] = (await text(socket)).split("\n");
      return JSON.parse(reply);
    }
    const ask = (operation: string, input: object) => call(JSON.stringify({ operation, input }));

    test.each<[what: string, fail: () => Promise<unknown>, usage: boolean, message: unknown]>([
      [
        "no JSON",
        () => call("?"),
        false,
        expect.stringMatching(/does not understand this call\.$/),
      ],
      [
        "a command that it does not know",
        () => ask("account rename", {}),
        true,
        expect.stringContaining("account rename"),
      ],
      [
        "a value that cannot be right",
        () => ask("account add", { email: "ann", plan: "pro" }),
        true,
        "ann is not an e-mail address.",
      ],
      [
        "what is refused",
        () => ask("token remove", { id: "tok_1" }),
        false,
        "There is no token tok_1.",
      ],
    ])("reports its error in words: %s", async (_, fail, usage, message) => {
      expect(await fail()).toEqual({ error: { usage, message } });
    });

    test("does not log an expected error", async () => {
      const { exitCode, stderr } = await run("token", "list", "nobody@example.com");
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("nobody@example.com")]);
      expect(logged()).not.toContain("operator");
    });

    test("logs an unexpected one with its name and the error, without a secret", async () => {
      await server.sql`alter table tokens rename to psk_elsewhere`;
      const { exitCode, stdout, stderr } = await run("token", "list", alice.email);
      await server.sql`alter table psk_elsewhere rename to tokens`;
      expect([exitCode, stdout, stderr]).toEqual([
        1,
        "",
        "shipscore-server: The server failed; its log says why.\n",
      ]);
      const line = logged()
        .split("\n")
        .find((each) => each.includes("an operator's command failed"));
      expect(JSON.parse(line ?? "")).toMatchObject({
        level: 50,
        operation: "token list",
        err: {
          message: expect.stringContaining('relation "tokens" does not exist'),
          stack: expect.any(String),
        },
      });
      expect(logged()).not.toContain(alice.token);
    });
  },
);
