import { GUARD_TARGETS } from "./guard-targets.ts";
import { PROBE_TARGETS } from "./probe-targets.ts";
import type { Target } from "./target.ts";
import { VERIFY_TARGETS } from "./verify-targets.ts";

/** Every reader of what strangers send. */
export const TARGETS: readonly Target[] = [...GUARD_TARGETS, ...PROBE_TARGETS, ...VERIFY_TARGETS];
