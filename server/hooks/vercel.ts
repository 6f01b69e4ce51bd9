import * as z from "zod";
import { INCOMPLETE, type Provider, faultUnless, hmac, readTime } from "./provider.ts";

const Named = z.object({ type: z.string() });
const Identified = z.object({ id: z.string() });

/** What Vercel keeps of a commit, under the name of where it came from. */
const HOSTS_OF_GIT = ["github", "gitlab", "bitbucket"];
const FIELDS = HOSTS_OF_GIT.flatMap((host) => [`${host}CommitSha`, `${host}CommitRef`]);
/** The other fields, of which there may be any number, are not read. */
const Meta = z.object(Object.fromEntries(FIELDS.map((field) => [field, z.unknown().optional()])));

const DeploymentEvent = z.object({
  createdAt: z.union([z.number(), z.string()]).nullish(),
  payload: z.object({
    target: z.string().nullish(),
    links: z
      .object({ deployment: z.string().nullish().catch(null) })
      .nullish()
      .catch(null),
    deployment: z.object({
      id: z.string(),
      url: z.string().nullish().catch(null),
      meta: Meta.nullish(),
    }),
  }),
});

function findInMeta(meta: Record<string, unknown>, field: "CommitSha" | "CommitRef") {
  const found = HOSTS_OF_GIT.map((host) => meta[`${host}${field}`]);
  return found.find((value) => typeof value === "string") ?? null;
}

/** The target where none is named: a promotion is to production, anything else a preview. */
const TARGETS: Readonly<Record<string, string>> = {
  "deployment.succeeded": "preview",
  "deployment.promoted": "production",
};

export const VERCEL: Provider = {
  findFault: ({ headers, body }, { key }) =>
    faultUnless(headers.get("x-vercel-signature"), hmac("sha1", key, [body]).toString("hex")),
  nameEvent: (_, payload) => Named.safeParse(payload).data?.type,
  findDeliveryId: (_, payload) => Identified.safeParse(payload).data?.id,
  read(event, payload) {
    const usual = Object.hasOwn(TARGETS, event) ? TARGETS[event] : undefined;
    if (usual === undefined) return { ignored: `event ${event}` };
    const parsed = DeploymentEvent.safeParse(payload);
    if (!parsed.success) return INCOMPLETE;
    const { createdAt, payload: said } = parsed.data;
    const target = said.target ?? usual;
    const { url, meta: kept } = said.deployment;
    const meta = kept ?? {};
    return {
      environment: target,
      environmentLabel: `target ${target}`,
      // A host alone.
      url: url ? `https://${url}` : null,
      commit: findInMeta(meta, "CommitSha"),
      ref: findInMeta(meta, "CommitRef"),
      // It names no page of the commit, but that of the deployment, which shows the commit.
      commitUrl: said.links?.deployment ?? null,
      refUrl: null,
      deployedAt: readTime(createdAt),
      providerId: `vercel:${said.deployment.id}`,
    };
  },
};
