import * as z from "zod";
import kinds from "./credential-kinds.json" with { type: "json" };

/** The kinds of secrets that a page must not show to its visitors, and their names; keys made to be public are not among them. */
export const CREDENTIAL_KINDS: Readonly<Record<string, { fr: string; en: string }>> = kinds;
export type CredentialKind = string;

/** Where the first one of a kind is; `isShown`: the page shows it as text, as documentation does with an example. */
export const Credential = z.object({ kind: z.string(), line: z.int(), isShown: z.boolean() });
export type Credential = z.infer<typeof Credential>;
