import type { Config } from "./config.ts";
import { occupyDataDir } from "./db/embedded/data-dir.ts";
import { HolderLeft, type Holder, type Perform } from "./db/embedded/holder.ts";
import type { DatabaseAddress } from "./db/sql.ts";
import type { Deps, DepsOptions } from "./deps.ts";
import { AppError } from "./errors.ts";
import { describeForCommand, isForOperator } from "./operator/error-words.ts";
import { describeNotice } from "./operator/program-words.ts";
import type { MigrationNotice } from "./program-errors.ts";

/** An open database with everything built on it, in this process or, for the operator's commands, in another. */
export type Instance =
  | { local: true; deps: Deps; perform: Perform; migrated: number[]; close: () => Promise<void> }
  | { local: false; holder: Holder; perform: Perform };

type LocalInstance = Extract<Instance, { local: true }>;

interface InstanceOptions extends Omit<DepsOptions, "config" | "address"> {
  /** Bring the database up to the program's schema; otherwise another schema is refused with what to do. */
  migrates: boolean;
}

/** A command that the holder of the directory does needs none of this, and the rest loads beside the opening database. */
const loadParts = () =>
  Promise.all([
    import("./db/migrate.ts"),
    import("./db/schema.ts"),
    import("./deps.ts"),
    import("./operator/operations.ts").then(({ loadOperations }) => loadOperations()),
  ]);

/** What `start` and `migrate` say where `perform` would do for another command. */
export function refuseHeld(config: Config, { command, pid, since }: Holder): AppError {
  return new AppError("data_dir_held", { dataDir: config.dataDir, command, pid, since });
}

/**
 * Opens the database that the configuration names. A data directory that another process holds is left
 * alone: that process is asked to perform the operator's commands. `command` is the name this process goes by.
 */
export async function openInstance(
  config: Config,
  command: string,
  options: InstanceOptions,
): Promise<Instance> {
  if (config.databaseUrl !== undefined)
    return build({ url: config.databaseUrl }, loadParts(), (close) => close());
  let ready: (instance: LocalInstance) => void = () => {};
  let failed: (error: unknown) => void = () => {};
  const opening = new Promise<LocalInstance>((resolve, reject) => {
    ready = resolve;
    failed = reject;
  });
  opening.catch(() => {});
  const occupancy = await occupyDataDir(config.dataDir, command, {
    perform: async (name, input) => performLogged(await opening, name, input),
    describe: describeForCommand,
  });
  if (!occupancy.held)
    return { local: false, holder: occupancy.holder, perform: occupancy.perform };
  try {
    const parts = loadParts();
    const { openEmbedded } = await import("./db/embedded/pglite.ts");
    const embedded = await openEmbedded(config.dataDir);
    const leave = (close: () => Promise<void>) =>
      occupancy.leave(() => close().finally(() => embedded.close()));
    const instance = await build(embedded, parts, leave).catch((error: unknown) =>
      embedded.close().then(() => Promise.reject(error)),
    );
    ready(instance);
    return instance;
  } catch (error) {
    failed(error);
    await occupancy.leave(async () => {});
    throw error;
  }

  async function build(
    address: DatabaseAddress,
    parts: ReturnType<typeof loadParts>,
    leave: (close: () => Promise<void>) => Promise<void>,
  ): Promise<LocalInstance> {
    const [{ migrate }, { requireSchema }, { createDeps }, performOperation] = await parts;
    const deps = createDeps({ ...options, config, address });
    const closeDeps = async () => {
      await deps.work.end();
      await deps.threads.close().finally(() => deps.database.close());
    };
    const warn = (notice: MigrationNotice) => deps.log.warn(describeNotice(notice));
    try {
      const migrated = options.migrates ? await migrate(address, { warn }) : [];
      if (!options.migrates) await requireSchema(deps.database.sql);
      return {
        local: true,
        deps,
        migrated,
        perform: (name, input) => deps.work.add(performOperation(deps, name, input)),
        close: () => leave(closeDeps),
      };
    } catch (error) {
      await closeDeps();
      throw error;
    }
  }
}

/** An operator in another process is told of an unexpected failure that the log of this one says why. */
async function performLogged({ deps, perform }: LocalInstance, name: string, input: unknown) {
  try {
    return await perform(name, input);
  } catch (error) {
    if (!isForOperator(error))
      deps.log.error({ err: error, operation: name }, "an operator's command failed");
    throw error;
  }
}

interface PerformOptions {
  /** The name of the command, for others at the data directory. */
  name: string;
  writeLog: (line: string) => void;
  /** Where the work is done a signal lets go of what is claimed; elsewhere it ends this process and not the work. */
  onSignal: (listener: () => void) => void;
}

/**
 * Lends `work` what performs the operator's commands, here or in the process that holds the data directory, also while
 * those change.
 */
export async function withPerform(
  config: Config,
  { name, writeLog, onSignal }: PerformOptions,
  work: (perform: Perform) => Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  let instance: Instance | undefined;
  const oneAtATime = { ...config, databaseConnections: 1 };
  const open = async () => {
    const opened = await openInstance(oneAtATime, `shipscore-server ${name}`, {
      writeLog,
      draining: ending.signal,
      stopping: ending.signal,
      migrates: false,
    });
    if (opened.local) onSignal(() => ending.abort());
    return opened;
  };
  const perform: Perform = async (operation, input) => {
    for (;;) {
      if (ending.signal.aborted) throw new AppError("interrupted", {});
      instance ??= await open();
      try {
        return await instance.perform(operation, input);
      } catch (error) {
        if (!(error instanceof HolderLeft)) throw error;
        instance = undefined;
      }
    }
  };
  try {
    await work(perform);
  } finally {
    ending.abort();
    if (instance?.local) await instance.close();
  }
}
