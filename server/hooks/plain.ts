import * as z from "zod";
import { INCOMPLETE, type Provider, findStandardFault, readTime } from "./provider.ts";

const Named = z.object({ type: z.string() });

const Succeeded = z.object({
  data: z
    .object({
      environment: z.string().nullish(),
      url: z.string().nullish().catch(null),
      commit: z.string().nullish(),
      ref: z.string().nullish(),
      commitUrl: z.string().nullish().catch(null),
      refUrl: z.string().nullish().catch(null),
      deployedAt: z.string().nullish(),
    })
    .nullish(),
});

export const PLAIN: Provider = {
  findFault: findStandardFault,
  nameEvent: (_, payload) => Named.safeParse(payload).data?.type,
  findDeliveryId: (headers) => headers.get("webhook-id"),
  read(event, payload) {
    if (event === "test") return { ignored: event };
    if (event !== "deployment.succeeded") return { ignored: `event ${event}` };
    const parsed = Succeeded.safeParse(payload);
    if (!parsed.success) return INCOMPLETE;
    const data = parsed.data.data ?? {};
    return {
      environment: data.environment ?? "production",
      url: data.url ?? null,
      commit: data.commit ?? null,
      ref: data.ref ?? null,
      commitUrl: data.commitUrl ?? null,
      refUrl: data.refUrl ?? null,
      deployedAt: readTime(data.deployedAt),
      providerId: null,
    };
  },
};
