import * as z from "zod";
import { Credential } from "./credential.ts";

/** An address in a file, and its line there. */
export const FoundAddress = z.object({ url: z.string(), line: z.int() });
export type FoundAddress = z.infer<typeof FoundAddress>;

/** An address that a style sheet loads, and what it loads there. */
export const StyleAddress = FoundAddress.extend({ kind: z.enum(["style", "font", "image"]) });
export type StyleAddress = z.infer<typeof StyleAddress>;

/** What a script or style sheet holds, as far as it was read: what things are and where, not their text. */
export const FileFacts = z.object({
  /** Whether it was read to its end; otherwise its first 512 KB at most. */
  isWhole: z.boolean(),
  /** As it was sent, as far as it was read. */
  wireBytes: z.int(),
  /** Whether browsers accept it for the integrity of its element; null if that states none, or not all was read. */
  integrityMatches: z.boolean().nullable(),
  /** Empty for another site's file, which is not searched. */
  credentials: z.array(Credential),
  /** Addresses on the developer's machine or network that a script sends requests to. */
  privateUrls: z.array(FoundAddress),
  /** What a style sheet loads over http. */
  plainUrls: z.array(StyleAddress),
  /** The library or tool whose development build a script is. */
  developmentBuild: z.string().nullable(),
  /** Where it says that its source map is; null if it says nothing, or holds the map itself. */
  sourceMap: z.string().nullable(),
});
export type FileFacts = z.infer<typeof FileFacts>;
