import * as z from "zod";
import {
  encodePath,
  INCOMPLETE,
  type Provider,
  compareSignature,
  hmac,
  readTime,
} from "./provider.ts";

const DeploymentStatus = z.object({
  deployment_status: z.object({
    state: z.string(),
    created_at: z.string().nullish(),
    environment_url: z.string().nullish().catch(null),
  }),
  deployment: z.object({
    id: z.number(),
    sha: z.string().nullish(),
    ref: z.string().nullish(),
    environment: z.string().nullish(),
    production_environment: z.boolean().nullish(),
  }),
  repository: z
    .object({
      html_url: z.string().nullish().catch(null),
      full_name: z.string().nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

const FAILED = ["failure", "error"];

export const GITHUB: Provider = {
  findFault: ({ headers, body }, { key }) =>
    compareSignature(
      headers.get("x-hub-signature-256"),
      `sha256=${hmac("sha256", key, [body]).toString("hex")}`,
    ),
  nameEvent: (headers) => headers.get("x-github-event"),
  findDeliveryId: (headers) => headers.get("x-github-delivery"),
  read(event, payload) {
    if (event !== "deployment_status") return { ignored: `event ${event}` };
    const parsed = DeploymentStatus.safeParse(payload);
    if (!parsed.success) return INCOMPLETE;
    const { deployment_status: status, deployment, repository } = parsed.data;
    const { sha, ref } = deployment;
    const home = repository?.html_url;
    const isFailure = FAILED.includes(status.state);
    if (status.state !== "success" && !isFailure) return { ignored: `state ${status.state}` };
    return {
      repositories: repository?.full_name ? [repository.full_name] : [],
      failed: isFailure ? `state ${status.state}` : null,
      environment: deployment.production_environment
        ? "production"
        : (deployment.environment ?? ""),
      url: status.environment_url ?? null,
      commit: sha ?? null,
      ref: ref ?? null,
      commitUrl: home && sha ? `${home}/commit/${encodePath(sha)}` : null,
      refUrl: home && ref ? `${home}/tree/${encodePath(ref)}` : null,
      deployedAt: readTime(status.created_at),
      providerId: `github:${deployment.id}`,
    };
  },
};
