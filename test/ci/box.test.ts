import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { parse } from "yaml";
import { expect, test } from "vitest";
import * as z from "zod";
import { findUnknownSettings } from "../../server/config.ts";
import { readImage } from "../harness/image.ts";
import { ROOT } from "../harness/package.ts";

const read = (name: string) => readFile(join(ROOT, name), "utf8");

test("the Dockerfile is valid, and its image runs without a shell", async () => {
  expect(validate(await read("Dockerfile"))).toEqual([]);
  const { get, health, command } = await readImage();
  expect(command).toEqual(["shipscore-server", "start", "--host", "0.0.0.0"]);
  expect(health[0]).toBe("node");
  // Reads go on while the database cannot be written to.
  expect(health.at(-1)).toContain("/healthz");
  expect([get("USER"), get("STOPSIGNAL"), get("VOLUME"), get("EXPOSE")]).toEqual([
    ["10001:10001"],
    ["SIGTERM"],
    ['["/var/lib/shipscore"]'],
    ["7070"],
  ]);
});

test("the image contains no secret, build or history of the sources", async () => {
  const ignored = (await read(".dockerignore")).trim().split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".env", ".git", "node_modules", "dist"]));
});

const Compose = z.strictObject({
  name: z.string(),
  services: z.record(
    z.string(),
    z.looseObject({
      ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).default([]),
      stop_grace_period: z.string(),
      environment: z.record(z.string(), z.string()),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
  networks: z.strictObject({
    default: z.strictObject({
      ipam: z.strictObject({ config: z.tuple([z.strictObject({ subnet: z.string() })]) }),
    }),
  }),
});

test("compose.yaml opens only local ports, and takes only settings that are set", async () => {
  const { services } = Compose.parse(parse(await read("compose.yaml")));
  expect(services["shipscore"]).toMatchObject({
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    stop_grace_period: "30s",
  });
  expect(services["postgres"]?.ports).toEqual([]);
});

test("compose.yaml trusts only the subnet of its network", async () => {
  const { services, networks } = Compose.parse(parse(await read("compose.yaml")));
  const [{ subnet }] = networks.default.ipam.config;
  expect(subnet).toMatch(/^\$\{SHIPSCORE_SUBNET:-[\d.]+\/24\}$/);
  expect(services["shipscore"]?.environment["SHIPSCORE_TRUSTED_PROXIES"]).toBe(subnet);
});

test("no proxy forwards its client's X-Forwarded-For", async () => {
  expect(await read("ops/nginx.conf")).toContain("X-Forwarded-For $remote_addr;");
  // Caddy replaces it unless `trusted_proxies` names the client.
  for (const name of ["ops/Caddyfile", "ops/nginx.conf", "docs/install.md", "docs/operating.md"])
    expect(await read(name)).not.toMatch(/proxy_add_x_forwarded_for|trusted_proxies/);
});

test.each(["Dockerfile", "compose.yaml", "ops/shipscore.service", "docs/install.md"])(
  "each setting in %s exists",
  async (name) => {
    const named = (await read(name)).match(/\bSHIPSCORE_[A-Z_]+\b/g) ?? [];
    expect(named).not.toEqual([]);
    expect(findUnknownSettings(Object.fromEntries(named.map((each) => [each, "1"])))).toEqual([]);
  },
);
