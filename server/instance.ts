import { performOperation } from "./admin/operations.ts";
import type { Config } from "./config.ts";
import { occupyDataDir, type Holder, type Perform } from "./db/data-dir.ts";
import { openEmbedded } from "./db/embedded.ts";
import { migrate } from "./db/migrate.ts";
import type { DatabaseAddress } from "./db/sql.ts";
import { createDeps, type Deps, type DepsOptions } from "./deps.ts";

/** An open database with everything built on it, in this process or, for the operator's commands, in another. */
export type Instance =
  | { local: true; deps: Deps; perform: Perform; migrated: number[]; close: () => Promise<void> }
  | { local: false; holder: Holder; perform: Perform };

type InstanceOptions = Omit<DepsOptions, "config" | "address">;

/**
 * Opens and migrates the database that the configuration names. A data directory that another process holds is left
 * alone: that process is asked to perform the operator's commands. `command` is the name this process goes by.
 */
export async function openInstance(config: Config, command: string, options: InstanceOptions): Promise<Instance> {
  if (config.databaseUrl !== undefined) {
    return { local: true, ...(await build({ url: config.databaseUrl }, async () => {})) };
  }
  let ready: (deps: Deps) => void = () => {};
  let failed: (error: unknown) => void = () => {};
  const opening = new Promise<Deps>((resolve, reject) => {
    ready = resolve;
    failed = reject;
  });
  opening.catch(() => {});
  const occupancy = await occupyDataDir(config.dataDir, command, async (name, input) =>
    performOperation(await opening, name, input),
  );
  if (!occupancy.held) return { local: false, holder: occupancy.holder, perform: occupancy.perform };
  try {
    const embedded = await openEmbedded(config.dataDir);
    const built = await build(embedded, async () => {
      await occupancy.release();
      await embedded.close();
    });
    ready(built.deps);
    return { local: true, ...built };
  } catch (error) {
    failed(error);
    await occupancy.release();
    throw error;
  }

  async function build(address: DatabaseAddress, release: () => Promise<void>) {
    const migrated = await migrate(address);
    const deps = createDeps({ ...options, config, address });
    return {
      deps,
      migrated,
      perform: ((name, input) => performOperation(deps, name, input)) satisfies Perform,
      close: async () => {
        await deps.database.close();
        await release();
      },
    };
  }
}
