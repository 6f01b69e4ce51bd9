import { fragment } from "./fragment.ts";

/** When a claim that begins now runs out, so that another process can claim the row. */
export const CLAIM_END = fragment`now() + interval '60 seconds'`;
