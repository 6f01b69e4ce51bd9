import * as z from "zod";
import type { InputFault } from "../base/errors.ts";

export const MAX_NAME_LENGTH = 100;

/** The name of a token or a project. */
export const Name = z
  .string()
  .trim()
  .min(1, { error: "name_empty" satisfies InputFault })
  .max(MAX_NAME_LENGTH, { error: "name_too_long" satisfies InputFault })
  .regex(/^\P{Cc}*$/u, { error: "name_has_controls" satisfies InputFault });
