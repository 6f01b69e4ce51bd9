import * as z from "zod";
import {
  encodePath,
  INCOMPLETE,
  type Provider,
  compareSignature,
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

/** Only the URL has the full id of the commit. */
const COMMIT_IN_URL = /\/commit\/([0-9a-f]{40,64})$/;

/** The tier identifies production. Other environments are identified by their name. */
function nameEnvironment({
  environment: name,
  environment_tier: tier,
}: z.infer<typeof Deployment>) {
  const isProduction = tier === "production" || name?.toLowerCase() === "production";
  return (isProduction ? (tier ?? name) : (name ?? tier)) ?? "";
}

export const GITLAB: Provider = {
  findFault: (request, secret) =>
    request.headers.get("webhook-signature") === undefined
      ? compareSignature(request.headers.get("x-gitlab-token"), secret.text)
      : findStandardFault(request, secret),
  nameEvent: (headers) => headers.get("x-gitlab-event"),
  findDeliveryId: (headers) => headers.get("webhook-id") ?? headers.get("idempotency-key"),
  read(event, payload) {
    if (event !== "Deployment Hook") return { ignored: `event ${event}` };
    const parsed = Deployment.safeParse(payload);
    if (!parsed.success) return INCOMPLETE;
    const deployment = parsed.data;
    const { status, ref } = deployment;
    const isFailure = status === "failed";
    if (status !== "success" && !isFailure) return { ignored: `status ${status}` };
    const { web_url: home, id, path_with_namespace: path } = deployment.project ?? {};
    return {
      repositories: [id, path].flatMap((one) => one?.toString() ?? []),
      failed: isFailure ? `status ${status}` : null,
      environment: nameEnvironment(deployment),
      environmentLabel: `environment ${deployment.environment_tier ?? deployment.environment ?? ""}`,
      url: deployment.environment_external_url ?? null,
      commit: COMMIT_IN_URL.exec(deployment.commit_url ?? "")?.[1] ?? deployment.short_sha ?? null,
      ref: ref ?? null,
      commitUrl: deployment.commit_url ?? null,
      refUrl: home && ref ? `${home}/-/tree/${encodePath(ref)}` : null,
      deployedAt: readTime(deployment.status_changed_at),
      providerId: `gitlab:${deployment.deployment_id}`,
    };
  },
};
