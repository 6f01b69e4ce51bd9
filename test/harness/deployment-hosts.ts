import { createHash, createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { sign } from "@octokit/webhooks-methods";
import { SignJWT } from "jose";
import { Webhook } from "standardwebhooks";
import type { HookProvider } from "../../server/base/hook-providers.ts";
import type { TestServer } from "./server.ts";

type Json = Record<string, unknown>;
export type Headers = Record<string, string>;

/** A payload from its provider's documentation, with other values. */
export function payloadOf(name: string): Json {
  const file = new URL(`../hooks/payloads/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Json;
}

export function withFields(payload: Json, fields: Record<string, unknown>): Json {
  const copy = structuredClone(payload);
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    const parent = names.reduce<Json>((object, name) => object[name] as Json, copy);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return copy;
}

/** Returns the headers of a delivery that is signed as in Standard Webhooks, by default now. */
export function signStandard(secret: string, body: string, at = new Date()): Headers {
  const id = `msg_${randomUUID()}`;
  const key = secret.startsWith("whsec_")
    ? new Webhook(secret)
    : new Webhook(secret, { format: "raw" });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": key.sign(id, at, body),
  };
}

export interface Claims {
  iss: string;
  sha256: string;
}

export const signJwt = (secret: string, claims: Claims, alg = "HS256") =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg, typ: "JWT" })
    .sign(new TextEncoder().encode(secret));

export const digestOf = (body: string) => createHash("sha256").update(body).digest("hex");

/** The signature and the other headers of each provider. */
export const HOSTS: Record<
  HookProvider,
  { headers: () => Headers; sign: (secret: string, body: string) => Headers | Promise<Headers> }
> = {
  github: {
    headers: () => ({
      "user-agent": "GitHub-Hookshot/044aadd",
      "x-github-event": "deployment_status",
      "x-github-delivery": randomUUID(),
      "x-github-hook-id": "292430182",
    }),
    sign: async (secret, body) => ({ "x-hub-signature-256": await sign(secret, body) }),
  },
  vercel: {
    headers: () => ({ "user-agent": "vercel-webhooks" }),
    // Follows Vercel's documentation, because there is no package.
    sign: (secret, body) => ({
      "x-vercel-signature": createHmac("sha1", secret).update(body).digest("hex"),
    }),
  },
  netlify: {
    headers: () => ({ "x-netlify-event": "deploy_created" }),
    sign: async (secret, body) => ({
      "x-webhook-signature": await signJwt(secret, { iss: "netlify", sha256: digestOf(body) }),
    }),
  },
  gitlab: {
    headers: () => ({
      "user-agent": "GitLab/18.0.0",
      "x-gitlab-event": "Deployment Hook",
      "x-gitlab-event-uuid": randomUUID(),
      "x-gitlab-webhook-uuid": "0b5f2a1c-7d3e-4f60-9a8b-1c2d3e4f5a6b",
      "idempotency-key": randomUUID(),
    }),
    sign: (secret, body) => signStandard(secret, body),
  },
  plain: { headers: () => ({}), sign: (secret, body) => signStandard(secret, body) },
};

export interface AddedHook {
  id: string;
  url: string;
  secret: string;
  provider: HookProvider;
}

export async function addHook(
  server: TestServer,
  project: string,
  provider: HookProvider,
): Promise<AddedHook> {
  const hook = await server.perform<Omit<AddedHook, "provider">>("hook add", { project, provider });
  return { ...hook, provider };
}

export const sendToHook = (url: string, body: string, headers: Headers) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });

/** Sends a payload to an incoming webhook as its provider does; `headers` replace the provider's. */
export async function deliver(
  hook: { url: string; secret: string; provider: HookProvider },
  payload: unknown,
  headers: Headers = {},
): Promise<{ status: number; body: unknown }> {
  const body = JSON.stringify(payload);
  const host = HOSTS[hook.provider];
  const signature = await host.sign(hook.secret, body);
  const response = await sendToHook(hook.url, body, {
    ...host.headers(),
    ...signature,
    ...headers,
  });
  return { status: response.status, body: await response.json() };
}
