import { createHmac } from "node:crypto";
import { sign } from "@octokit/webhooks-methods";
import type { HookProvider } from "../../server/base/hook-providers.ts";
import { digestOf, signJwt, signStandard, type Headers } from "../harness/deployment-hosts.ts";

type Wrong = (body: string, secret: string) => Headers | Promise<Headers>;

const OTHER = "whsec_c2VjcmV0IG9mIHNvbWVib2R5IGVsc2U=";

const hex = (algorithm: string, secret: string, body: string) =>
  createHmac(algorithm, secret).update(body).digest("hex");
const claims = (body: string) => ({ iss: "netlify", sha256: digestOf(body) });
export const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A JWT with any header, signed by HMAC-SHA-256. */
const jwtOf = (header: object, payload: object, secret: string) => {
  const signed = `${base64url(header)}.${base64url(payload)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
};

const sevenSecondsAgo = () => String(Math.floor(Date.now() / 1000) - 7);

const without = (headers: Headers, name: string): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

/** A good signature by Standard Webhooks, written another way. */
const rewritten = (body: string, secret: string, rewrite: (signature: string) => string) => {
  const signed = signStandard(secret, body);
  return { ...signed, "webhook-signature": rewrite(signed["webhook-signature"] ?? "") };
};

const github = (signature: string) => ({ "x-hub-signature-256": signature });

const GITHUB: [what: string, headers: Wrong][] = [
  ["no signature", () => ({})],
  ["an empty signature", () => github("")],
  ["another secret", async (body) => github(await sign(OTHER, body))],
  ["SHA-1 alone", (body, secret) => ({ "x-hub-signature": `sha1=${hex("sha1", secret, body)}` })],
  ["SHA-1 for SHA-256", (body, secret) => github(`sha1=${hex("sha1", secret, body)}`)],
  ["the digest without its name", (body, secret) => github(hex("sha256", secret, body))],
  ["half of it", (body, secret) => github(`sha256=${hex("sha256", secret, body).slice(0, 32)}`)],
  ["GitLab's token", (_, secret) => ({ "x-gitlab-token": secret })],
];

const VERCEL: typeof GITHUB = [
  ["no signature", () => ({})],
  ["another secret", (body) => ({ "x-vercel-signature": hex("sha1", OTHER, body) })],
  ["SHA-256", (body, secret) => ({ "x-vercel-signature": hex("sha256", secret, body) })],
];

const jwt = (token: string) => ({ "x-webhook-signature": token });
const HS256 = { alg: "HS256", typ: "JWT" };

const NETLIFY: typeof GITHUB = [
  ["no signature", () => ({})],
  ["no JWT", () => jwt("netlify")],
  ["another secret", async (body) => jwt(await signJwt(OTHER, claims(body)))],
  ["another algorithm", async (body, secret) => jwt(await signJwt(secret, claims(body), "HS512"))],
  [
    "another algorithm's name over a good HMAC",
    (body, secret) => jwt(jwtOf({ alg: "HS512", typ: "JWT" }, claims(body), secret)),
  ],
  ["no algorithm", (body) => jwt(`${base64url({ alg: "none" })}.${base64url(claims(body))}.`)],
  [
    "an extension that must be understood",
    (body, secret) => jwt(jwtOf({ alg: "HS256", crit: ["b64"], b64: true }, claims(body), secret)),
  ],
  [
    "another issuer",
    async (body, secret) => jwt(await signJwt(secret, { ...claims(body), iss: "somebody" })),
  ],
  ["another body's digest", async (body, secret) => jwt(await signJwt(secret, claims(`${body} `)))],
  ["no digest", (_, secret) => jwt(jwtOf(HS256, { iss: "netlify" }, secret))],
];

const GITLAB: [what: string, headers: Wrong, outcome?: string][] = [
  ["neither signature nor token", () => ({})],
  ["another token", () => ({ "x-gitlab-token": OTHER })],
  ["a token that begins well", (_, secret) => ({ "x-gitlab-token": secret.slice(0, -1) })],
  [
    "a wrong signature beside the right token",
    (body, secret) => ({ ...signStandard(OTHER, body), "x-gitlab-token": secret }),
  ],
  [
    "an empty signature beside the right token",
    (_, secret) => ({ "webhook-signature": "", "x-gitlab-token": secret }),
  ],
  [
    "an old signature beside the right token",
    (body, secret) => ({
      ...signStandard(secret, body, minutesFromNow(-6)),
      "x-gitlab-token": secret,
    }),
    "clock",
  ],
];

const PLAIN: typeof GITLAB = [
  ["no signature", () => ({})],
  ["the secret itself", (_, secret) => ({ authorization: `Bearer ${secret}` })],
  ["another secret", (body) => signStandard(OTHER, body)],
  ["another body", (body, secret) => signStandard(secret, `${body} `)],
  ["a changed id", (body, secret) => ({ ...signStandard(secret, body), "webhook-id": "msg_1" })],
  ["no id", (body, secret) => without(signStandard(secret, body), "webhook-id")],
  ["no time", (body, secret) => without(signStandard(secret, body), "webhook-timestamp")],
  [
    "a changed time",
    (body, secret) => ({ ...signStandard(secret, body), "webhook-timestamp": sevenSecondsAgo() }),
  ],
  [
    "another version of signature",
    (body, secret) => rewritten(body, secret, (signature) => signature.replace("v1,", "v1a,")),
  ],
  [
    "a good signature behind a hundred others",
    (body, secret) => rewritten(body, secret, (signature) => "v1,x ".repeat(100) + signature),
  ],
  ["six minutes ago", (body, secret) => signStandard(secret, body, minutesFromNow(-6)), "clock"],
  ["in six minutes", (body, secret) => signStandard(secret, body, minutesFromNow(6)), "clock"],
];

const ALL = { github: GITHUB, vercel: VERCEL, netlify: NETLIFY, gitlab: GITLAB, plain: PLAIN };

/** What every provider's hook must refuse, and the reason that its owner reads. */
export const WRONG_SIGNATURES = Object.entries(ALL).flatMap(([provider, rows]) =>
  (rows as typeof GITLAB).map(
    ([what, headers, outcome = "signature"]) =>
      [provider as HookProvider, what, headers, outcome] as const,
  ),
);
