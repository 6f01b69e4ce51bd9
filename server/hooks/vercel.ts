import * as z from "zod";
import { INCOMPLETE, type Provider, compareSignature, hmac, readTime } from "./provider.ts";

const Named = z.object({ type: z.string() });
const Identified = z.object({ id: z.string() });

/** Vercel's metadata names a commit's fields by the Git host. */
const GIT_HOSTS = ["github", "gitlab", "bitbucket"];
const FIELDS = GIT_HOSTS.flatMap((host) => [`${host}CommitSha`, `${host}CommitRef`]);
/** Ignores all other fields, however many there are. */
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
  const found = GIT_HOSTS.map((host) => meta[`${host}${field}`]);
  return found.find((value) => typeof value === "string") ?? null;
}

/** The target of an event that names none: a promotion goes to production, anything else is a preview. */
const TARGETS: Readonly<Record<string, string>> = {
  "deployment.succeeded": "preview",
  "deployment.promoted": "production",
};

export const VERCEL: Provider = {
  findFault: ({ headers, body }, { key }) =>
    compareSignature(headers.get("x-vercel-signature"), hmac("sha1", key, [body]).toString("hex")),
  nameEvent: (_, payload) => Named.safeParse(payload).data?.type,
  findDeliveryId: (_, payload) => Identified.safeParse(payload).data?.id,
  read(event, payload) {
    const defaultTarget = Object.hasOwn(TARGETS, event) ? TARGETS[event] : undefined;
    if (defaultTarget === undefined) return { ignored: `event ${event}` };
    const parsed = DeploymentEvent.safeParse(payload);
    if (!parsed.success) return INCOMPLETE;
    const { createdAt, payload: data } = parsed.data;
    const target = data.target ?? defaultTarget;
    const { url } = data.deployment;
    const meta = data.deployment.meta ?? {};
    return {
      environment: target,
      environmentLabel: `target ${target}`,
      // Vercel sends only the host.
      url: url ? `https://${url}` : null,
      commit: findInMeta(meta, "CommitSha"),
      ref: findInMeta(meta, "CommitRef"),
      // The event has no URL of the commit, but one of the deployment, whose page shows the commit.
      commitUrl: data.links?.deployment ?? null,
      refUrl: null,
      deployedAt: readTime(createdAt),
      providerId: `vercel:${data.deployment.id}`,
    };
  },
};
