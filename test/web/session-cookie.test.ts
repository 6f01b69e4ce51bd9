import type { FastifyReply } from "fastify";
import { expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { findSessionSecret, setSessionCookie } from "../../server/web/kit/session/cookie.ts";

const PLAIN = readConfig({});
const BEHIND_PROXY = readConfig({
  SHIPSCORE_BEHIND_TLS_PROXY: "1",
  SHIPSCORE_PUBLIC_URL: "https://shipscore.example",
});
const SECRET = "a".repeat(43);
const OTHER = "b".repeat(43);

function write(config: typeof PLAIN, secret: string | undefined): string {
  let written = "";
  const reply = { header: (_name: string, value: string) => (written = value) };
  setSessionCookie(reply as unknown as FastifyReply, config, secret);
  return written;
}

const read = (config: typeof PLAIN, cookie?: string) =>
  findSessionSecret({ headers: { cookie } }, config);

test("behind a TLS proxy the cookie is bound to its host and to https", () => {
  expect(write(BEHIND_PROXY, SECRET)).toBe(
    `__Host-shipscore=${SECRET}; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure`,
  );
  expect(write(BEHIND_PROXY, undefined)).toBe(
    "__Host-shipscore=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure",
  );
});

test("on plain http it has neither the prefix nor Secure, because browsers would not store it", () => {
  expect(write(PLAIN, SECRET)).toBe(
    `shipscore=${SECRET}; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax`,
  );
});

test.each([
  ["no cookie", undefined],
  ["the name of plain http", `shipscore=${SECRET}`],
  ["a secret that is too short", "__Host-shipscore=a"],
  ["a secret of other characters", `__Host-shipscore=${"é".repeat(43)}`],
  ["two sessions", `__Host-shipscore=${SECRET}; __Host-shipscore=${OTHER}`],
])("behind a TLS proxy there is no session in %s", (_what, cookie) => {
  expect(read(BEHIND_PROXY, cookie)).toBeUndefined();
});

test("a session is found among other cookies", () => {
  expect(read(BEHIND_PROXY, `a=b; __Host-shipscore=${SECRET}; c=d`)).toBe(SECRET);
  expect(read(PLAIN, `shipscore=${SECRET}`)).toBe(SECRET);
});
