import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { parseDatabaseUrl } from "../../server/db/driver/address.ts";
import { rethrowForOperator } from "../harness/operator-errors.ts";

const PASSWORD = "hunter2";

test.each([
  ["no URL", "localhost/db", "must be a postgres:// connection string"],
  ["another database's", "mysql://u:hunter2@db/x", "must be a postgres:// connection string"],
  ["several hosts", "postgres://u:hunter2@one,two/x", "names several hosts"],
  ["several hosts as a parameter", "postgres:///x?host=one,two", "names several hosts"],
  ["several hosts with ports", "postgres://u:hunter2@one:1,two:2/x", "must be a postgres://"],
  ["TLS perhaps", "postgres://u:hunter2@db/x?sslmode=prefer", "sslmode other than"],
  ["TLS rather not", "postgres://u:hunter2@db/x?sslmode=allow", "sslmode other than"],
  [
    "an authority that is not there",
    "postgres://u:hunter2@db/x?sslmode=verify-full&sslrootcert=/nowhere/ca.pem",
    "names a file in sslrootcert that cannot be read",
  ],
  ["a name that is no encoding", "postgres://u:hunter2@db/%E0%A4%A", "is not encoded"],
])("%s is rejected, in one line without the password", (_, url, words) => {
  const read = () => rethrowForOperator(() => readConfig({ DATABASE_URL: url }));
  expect(read).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(read).toThrow(words);
  expect(read).not.toThrow(PASSWORD);
  expect(read).not.toThrow("\n");
});

test.each([["SHIPSCORE_DATABASE_CONNECTIONS", ["0", "101", "-1", "8.5", "many"], "from 1 to 100"]])(
  "%s is rejected with its limits",
  (name, values, words) => {
    for (const value of values)
      expect(() => rethrowForOperator(() => readConfig({ [name]: value }))).toThrow(words);
  },
);

test("eight connections, unless the environment says otherwise", () => {
  expect(readConfig({}).databaseConnections).toBe(8);
  expect(readConfig({ SHIPSCORE_DATABASE_CONNECTIONS: "100" }).databaseConnections).toBe(100);
});

const AT_DB = { host: "db", user: "u", password: PASSWORD, database: "x", ssl: false };
const UNVERIFIED = { rejectUnauthorized: false };

test.each<[string, string, object]>([
  ["plain", "postgres://u:hunter2@db/x", AT_DB],
  ["a port", "postgresql://u:hunter2@db:6432/x", { ...AT_DB, port: 6432 }],
  ["encoded", "postgres://u%40v:p%2Fq@db/x%20y", { user: "u@v", password: "p/q", database: "x y" }],
  ["IPv6", "postgres://u:hunter2@[::1]:5433/x", { host: "::1", port: 5433 }],
  ["a socket's folder", "postgres:///x?host=/var/run/postgresql", { host: "/var/run/postgresql" }],
  [
    "the same with a user",
    "postgres://u:hunter2@/x?host=/cloudsql/a:b:c",
    { host: "/cloudsql/a:b:c", user: "u", database: "x" },
  ],
  ["the same encoded", "postgres://%2Frun%2Fpg/x", { host: "/run/pg", database: "x" }],
  ["Heroku, RDS", "postgres://u:hunter2@db/x?sslmode=require", { ...AT_DB, ssl: UNVERIFIED }],
  [
    "Neon",
    "postgres://u:hunter2@db/x?sslmode=require&channel_binding=require&options=endpoint%3Dep-1",
    { ssl: UNVERIFIED, enableChannelBinding: true, options: "endpoint=ep-1" },
  ],
  ["Supabase", "postgres://u:hunter2@db:6543/x?pgbouncer=true", { ...AT_DB, port: 6543 }],
  ["verified", "postgres://u:hunter2@db/x?sslmode=verify-full", { ...AT_DB, ssl: {} }],
  ["the system's", "postgres://db/x?sslmode=verify-full&sslrootcert=system", { ssl: {} }],
  ["not at all", "postgres://u:hunter2@db/x?sslmode=disable", AT_DB],
])("%s", (_, url, config) => {
  expect(parseDatabaseUrl(url)).toMatchObject(config);
});

test("sslrootcert with a file requires that authority, also with modes that only encrypt", async () => {
  const file = join(tmpdir(), `shipscore-ca-${process.pid}.pem`);
  await writeFile(file, "PEM");
  const tlsOf = (mode: string) =>
    parseDatabaseUrl(`postgres://db/x?sslmode=${mode}&sslrootcert=${file}`).ssl;
  expect(tlsOf("verify-full")).toEqual({ ca: "PEM" });
  for (const mode of ["verify-ca", "require"])
    expect(tlsOf(mode)).toEqual({ ca: "PEM", checkServerIdentity: expect.any(Function) });
});
