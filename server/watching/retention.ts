import { setTimeout as sleep } from "node:timers/promises";
import { removeDeletedAccounts } from "../db/accounts/deleted-accounts.ts";
import { removeDeletedProjects } from "../db/projects/deleted-projects.ts";
import {
  deleteOldChecks,
  deleteOldDays,
  deleteOldEvents,
  deleteOldHours,
  deleteOldMessages,
  deleteOldStatuses,
  deleteUnusedRecipients,
  deleteOldScans,
  deleteOldShipChecks,
  deleteOldStarts,
  deleteUnusedHosts,
  clearOldResponses,
  forgetExpired,
  type CleanUpStep,
} from "../db/retention.ts";
import { deleteOldPreviews } from "../db/projects/previews.ts";
import { deleteOldWindows } from "../db/watching/maintenance.ts";
import type { Sql } from "../db/driver/sql.ts";

const FIRST = "";

/** After each step, pauses for as long as the step took, so that requests get their turn. */
async function repeatStep(sql: Sql, step: CleanUpStep, draining: AbortSignal): Promise<void> {
  let cursor: string | null = FIRST;
  while (cursor !== null && !draining.aborted) {
    const began = performance.now();
    cursor = await step(sql, cursor);
    if (cursor !== null) await sleep(performance.now() - began);
  }
}

/** Each pass covers only the next range of hosts, since there may be many hosts. Several servers can clean up in parallel. */
export function createCleanUp(sql: Sql, draining: AbortSignal): () => Promise<void> {
  let host: string | null = FIRST;
  return async () => {
    const steps = [
      deleteOldChecks,
      deleteOldShipChecks,
      deleteOldPreviews,
      clearOldResponses,
      deleteOldScans,
      deleteOldStarts,
      deleteOldEvents,
      deleteOldHours,
      deleteOldDays,
      deleteOldMessages,
      deleteOldStatuses,
      deleteOldWindows,
      deleteUnusedRecipients,
      forgetExpired,
      removeDeletedProjects,
      removeDeletedAccounts,
    ];
    for (const step of steps) await repeatStep(sql, step, draining);
    if (!draining.aborted) host = await deleteUnusedHosts(sql, host ?? FIRST);
  };
}
