import * as z from "zod";
import { Answer } from "./exchange.ts";

/** The image of a sharing card, as it was served. */
export const CardImage = Answer.extend({
  url: z.string(),
  meta: z.enum(["og:image", "twitter:image"]),
  /** What its content is; sizes in pixels, null if its beginning does not tell. Null if it is no image, or was not read. */
  image: z
    .object({
      type: z.enum(["png", "jpeg", "gif", "webp", "svg", "other"]),
      width: z.int().nullable(),
      height: z.int().nullable(),
    })
    .nullable(),
});
export type CardImage = z.infer<typeof CardImage>;
