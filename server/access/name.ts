import * as z from "zod";
import { fault } from "../base/input-faults.ts";

export const MAX_NAME_LENGTH = 100;

export const Name = z
  .string()
  .trim()
  .min(1, fault("name_empty"))
  .max(MAX_NAME_LENGTH, fault("name_too_long"))
  .regex(/^\P{Cc}*$/u, fault("name_has_controls"));
