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
    const said = parsed.data.data ?? {};
    return {
      environment: said.environment ?? "production",
      url: said.url ?? null,
      commit: said.commit ?? null,
      ref: said.ref ?? null,
      commitUrl: said.commitUrl ?? null,
      refUrl: said.refUrl ?? null,
      deployedAt: readTime(said.deployedAt),
      providerId: null,
    };
  },
};
