import { rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { connectDatabase, type Database } from "../../server/db/driver/sql.ts";
import { createAuthority } from "../harness/certificates.ts";
import { getAuthority } from "../harness/site.ts";
import { useFolder } from "../harness/use.ts";

const S = Buffer.from("S");

describe.runIf(inject("database") === "postgres")("a Postgres that speaks TLS", () => {
  const folder = useFolder();
  let server: Server;
  const clients = new Set<Socket>();
  const opened: { database: Database; words: string[] }[] = [];

  /** Answers the request for TLS, and passes on what is said inside it. */
  beforeAll(async () => {
    const target = new URL(inject("postgresUrl"));
    const authority = await getAuthority();
    const { cert, key } = await authority.issue({ hosts: ["localhost"] });
    await writeFile(join(folder, "ca.pem"), authority.certificate);
    server = createServer((client) => {
      client.on("error", () => client.destroy());
      client.once("data", () => {
        client.write(S);
        const inside = new TLSSocket(client, { isServer: true, cert, key });
        clients.add(inside);
        const upstream = connect(Number(target.port), target.hostname);
        for (const socket of [inside, upstream]) socket.on("error", () => socket.destroy());
        inside.pipe(upstream).pipe(inside);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  });
  afterEach(() => Promise.all(opened.splice(0).map(({ database }) => database.close())));
  afterAll(async () => {
    for (const client of clients) client.destroy();
    server.close();
  });

  function open(parameters: string) {
    const { port } = server.address() as AddressInfo;
    const words: string[] = [];
    const url = `postgres://postgres@localhost:${port}/postgres?${parameters}`;
    const options = {
      connections: 2,
      deadlineMs: 2000,
      onTrouble: (why: string) => words.push(why),
    };
    opened.push({ database: connectDatabase({ url }, options), words });
    return opened.at(-1) as (typeof opened)[number];
  }

  const read = ({ database }: { database: Database }) => database.sql`select 1 as one`;

  test.each([["sslmode=verify-full"], ["sslmode=verify-full&sslrootcert=system"]])(
    "%s rejects an authority that the system does not know",
    async (parameters) => {
      const { words, database } = open(parameters);
      await expect(read({ database })).rejects.toMatchObject({ code: "unavailable" });
      expect(words.join()).toMatch(/certificate/);
    },
  );

  test.each([["require"], ["verify-ca"], ["verify-full"]])(
    "sslmode=%s accepts its configured authority",
    async (mode) => {
      expect(await read(open(`sslmode=${mode}&sslrootcert=${folder}/ca.pem`))).toEqual([
        { one: 1 },
      ]);
    },
  );

  test("sslmode=require encrypts without verification, and channel binding does no harm", async () => {
    expect(await read(open("sslmode=require"))).toEqual([{ one: 1 }]);
    expect(await read(open("sslmode=require&channel_binding=require"))).toEqual([{ one: 1 }]);
  });

  test("a new connection uses the last readable certificate file", async () => {
    const path = join(folder, "renewed.pem");
    const [ours, other] = await Promise.all([getAuthority(), createAuthority()]);
    await writeFile(path, ours.certificate);
    const { database, words } = open(`sslmode=verify-full&sslrootcert=${path}`);
    const cutAll = () => clients.forEach((client) => client.destroy());
    const tryRead = () => read({ database }).catch(() => words.at(-1));
    await rm(path);
    cutAll();
    await expect.poll(tryRead).toEqual([{ one: 1 }]);
    await writeFile(path, other.certificate);
    cutAll();
    await expect.poll(tryRead).toMatch(/certificate/);
    await writeFile(path, ours.certificate);
    await expect.poll(tryRead).toEqual([{ one: 1 }]);
  });

  test("a connection that falls silent is abandoned and replaced, inside TLS too", async () => {
    const { database, words } = open("sslmode=require");
    await read({ database });
    for (const client of clients) client.unpipe().pause();
    await expect(read({ database })).rejects.toMatchObject({ code: "unavailable" });
    expect(words).toEqual(["no answer within 2000 ms"]);
    expect(await read({ database })).toEqual([{ one: 1 }]);
  });
});
