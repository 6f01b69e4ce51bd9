import { hash } from "node:crypto";
import * as z from "zod";
import { parseJson } from "../base/syntax/nested-json.ts";
import {
  INCOMPLETE,
  type Provider,
  hmac,
  isEqual,
  type HookRequest,
  type Secret,
  readTime,
} from "./provider.ts";

const JwtHeader = z.object({ alg: z.literal("HS256"), crit: z.undefined().optional() });
const Claims = z.object({
  iss: z.literal("netlify"),
  sha256: z.string(),
  exp: z.number().optional(),
});

const Deploy = z.object({
  id: z.string(),
  context: z.string(),
  deploy_ssl_url: z.string().nullish().catch(null),
  commit_ref: z.string().nullish(),
  branch: z.string().nullish(),
  commit_url: z.string().nullish().catch(null),
  published_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  created_at: z.string().nullish(),
});
const Ready = z.object({ state: z.literal("ready") });

const MAX_TOKEN_LENGTH = 4096;

const parsePart = (part: string) => parseJson(Buffer.from(part, "base64url").toString());

/** The token is parsed only after its signature was verified, always with HS256. */
function findFault({ headers, body, now }: HookRequest, { key }: Secret) {
  const token = headers.get("x-webhook-signature") ?? "";
  const [head = "", claims = "", signature = "", ...more] = token.split(".", 4);
  if (token.length > MAX_TOKEN_LENGTH || more.length > 0) return "signature";
  const expected = hmac("sha256", key, [`${head}.${claims}`]).toString("base64url");
  if (!isEqual(signature, expected)) return "signature";
  if (!JwtHeader.safeParse(parsePart(head)).success) return "signature";
  const claimed = Claims.safeParse(parsePart(claims));
  if (!claimed.success || !isEqual(claimed.data.sha256, hash("sha256", body))) return "signature";
  const { exp = Infinity } = claimed.data;
  return exp * 1000 < now.getTime() ? "clock" : undefined;
}

export const NETLIFY: Provider = {
  findFault,
  /** An event without the header, about a deploy in the state `ready`, is `deploy_created`. */
  nameEvent: (headers, payload) =>
    headers.get("x-netlify-event") ??
    (Ready.safeParse(payload).success ? "deploy_created" : undefined),
  findDeliveryId: () => undefined,
  read(event, payload) {
    if (event !== "deploy_created") return { ignored: `event ${event}` };
    const parsed = Deploy.safeParse(payload);
    if (!parsed.success) return INCOMPLETE;
    const deploy = parsed.data;
    return {
      environment: deploy.context,
      environmentLabel: `context ${deploy.context}`,
      url: deploy.deploy_ssl_url ?? null,
      commit: deploy.commit_ref ?? null,
      ref: deploy.branch ?? null,
      commitUrl: deploy.commit_url ?? null,
      refUrl: null,
      deployedAt: readTime(deploy.published_at ?? deploy.updated_at ?? deploy.created_at),
      providerId: `netlify:${deploy.id}`,
    };
  },
};
