import * as z from "zod";
import { Credential } from "./credential.ts";

/** What a script or style sheet holds, as far as it was read: what things are and where, not their text. */
export const FileFacts = z.object({
  /** Whether it was read to its end; otherwise its first 512 KB at most. */
  isWhole: z.boolean(),
  /** Whether browsers accept it for the integrity of its element; null if that states none, or not all was read. */
  integrityMatches: z.boolean().nullable(),
  /** Empty for another site's file, which is not searched. */
  credentials: z.array(Credential),
});
export type FileFacts = z.infer<typeof FileFacts>;
