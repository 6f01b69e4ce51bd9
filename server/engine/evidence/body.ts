import * as z from "zod";
import { Html } from "./html.ts";

/** A default page, directory index, stack trace or dev overlay recognised in a body. */
export const Leak = z.object({ signature: z.string(), offset: z.int() });
export type Leak = z.infer<typeof Leak>;

export const Body = z.object({
  wireBytes: z.int(),
  decodedBytes: z.int(),
  encoding: z.string().nullable(),
  /**
   * `whole`; `over_limit`: cut at the decoded limit; `cut_short`: ended before its length, last chunk or coding said;
   * `unsupported`: an encoding that was not asked for; `undecodable`; `late`: not complete at the check's deadline.
   */
  state: z.enum(["whole", "over_limit", "cut_short", "unsupported", "undecodable", "late"]),
  /** What the byte order mark declares; null without one. */
  bomEncoding: z.enum(["utf-8", "utf-16be", "utf-16le"]).nullable(),
  /** True if the bytes are not valid in the charset that the page declares (UTF-8 if it declares none). */
  charsetError: z.boolean(),
  start: z.string(),
  looksLikeHtml: z.boolean(),
  leak: Leak.nullable(),
  /** The name of the gatekeeper whose challenge page this is. */
  challenge: z.string().nullable(),
  html: Html.nullable(),
});
export type Body = z.infer<typeof Body>;
