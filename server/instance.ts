import type { Config } from "./config.ts";
import { occupyDataDir, type Holder, type Perform } from "./db/data-dir.ts";
import type { DatabaseAddress } from "./db/sql.ts";
import type { Deps, DepsOptions } from "./deps.ts";

/** An open database with everything built on it, in this process or, for the operator's commands, in another. */
export type Instance =
  | { local: true; deps: Deps; perform: Perform; migrated: number[]; close: () => Promise<void> }
  | { local: false; holder: Holder; perform: Perform };

type LocalInstance = Extract<Instance, { local: true }>;
type InstanceOptions = Omit<DepsOptions, "config" | "address">;

/**
 * Opens and migrates the database that the configuration names. A data directory that another process holds is left
 * alone: that process is asked to perform the operator's commands. `command` is the name this process goes by.
 */
export async function openInstance(
  config: Config,
  command: string,
  options: InstanceOptions,
): Promise<Instance> {
  if (config.databaseUrl !== undefined)
    return build(config, options, { url: config.databaseUrl }, async () => {});
  const opening = Promise.withResolvers<LocalInstance>();
  opening.promise.catch(() => {});
  const occupancy = await occupyDataDir(config.dataDir, command, async (name, input) =>
    (await opening.promise).perform(name, input),
  );
  if (!occupancy.held)
    return { local: false, holder: occupancy.holder, perform: occupancy.perform };
  try {
    const instance = await openHeld(config, options, occupancy.release);
    opening.resolve(instance);
    return instance;
  } catch (error) {
    opening.reject(error);
    await occupancy.release();
    throw error;
  }
}
