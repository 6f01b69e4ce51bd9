import * as z from "zod";
import {
  encodePath,
  INCOMPLETE,
  type Provider,
  faultUnless,
  findStandardFault,
  readTime,
} from "./provider.ts";

const Deployment = z.object({
  status: z.string(),
  status_changed_at: z.string().nullish(),
  deployment_id: z.number(),
  environment: z.string().nullish(),
  environment_tier: z.string().nullish(),
  environment_external_url: z.string().nullish().catch(null),
  short_sha: z.string().nullish(),
  commit_url: z.string().nullish(),
  ref: z.string().nullish(),
  project: z
    .object({
      web_url: z.string().nullish().catch(null),
      id: z.number().nullish().catch(null),
      path_with_namespace: z.string().nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

/** The whole id of the commit is in its URL alone. */
const COMMIT_IN_URL = /\/commit\/([0-9a-f]{40,64})$/;

/** The tier says whether it is production; of others the name says which. */
function nameEnvironment({
  environment: name,
  environment_tier: tier,
}: z.infer<typeof Deployment>) {
  const isTold = tier === "production" || name?.toLowerCase() === "production";
  return (isTold ? (tier ?? name) : (name ?? tier)) ?? "";
}

export const GITLAB: Provider = {
  findFault: (sent, secret) =>
    sent.headers.get("webhook-signature") === undefined
      ? faultUnless(sent.headers.get("x-gitlab-token"), secret.text)
      : findStandardFault(sent, secret),
  nameEvent: (headers) => headers.get("x-gitlab-event"),
  findDeliveryId: (headers) => headers.get("webhook-id") ?? headers.get("idempotency-key"),
  read(event, payload) {
    if (event !== "Deployment Hook") return { ignored: `event ${event}` };
    const parsed = Deployment.safeParse(payload);
    if (!parsed.success) return INCOMPLETE;
    const said = parsed.data;
    const isFailure = said.status === "failed";
    if (said.status !== "success" && !isFailure) return { ignored: `status ${said.status}` };
    const { web_url: home, id, path_with_namespace: path } = said.project ?? {};
    return {
      repositories: [id, path].flatMap((one) => one?.toString() ?? []),
      failed: isFailure ? `status ${said.status}` : null,
      environment: nameEnvironment(said),
      environmentLabel: `environment ${said.environment_tier ?? said.environment ?? ""}`,
      url: said.environment_external_url ?? null,
      commit: COMMIT_IN_URL.exec(said.commit_url ?? "")?.[1] ?? said.short_sha ?? null,
      ref: said.ref ?? null,
      commitUrl: said.commit_url ?? null,
      refUrl: home && said.ref ? `${home}/-/tree/${encodePath(said.ref)}` : null,
      deployedAt: readTime(said.status_changed_at),
      providerId: `gitlab:${said.deployment_id}`,
    };
  },
};
