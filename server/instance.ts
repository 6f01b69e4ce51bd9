import type { Config } from "./config.ts";
import { HolderLeft, type Holder, type Perform } from "./db/embedded/admin-socket.ts";
import { holdsDatabase, occupyDataDir } from "./db/embedded/data-dir.ts";
import type { DatabaseAddress } from "./db/driver/address.ts";
import type { Deps, DepsOptions } from "./deps.ts";
import { AppError, describeForCommand, isForOperator } from "./base/errors.ts";
import { describeNotice, type MigrationNotice } from "./base/program-errors.ts";

/** The database is open in this process or, for operator commands, in another one. */
export type Instance =
  | { local: true; deps: Deps; perform: Perform; migrated: number[]; close: () => Promise<void> }
  | { local: false; holder: Holder; perform: Perform };

type LocalInstance = Extract<Instance, { local: true }>;

interface InstanceOptions extends Omit<DepsOptions, "config" | "address"> {
  /** If false, a different schema is an error. */
  migrates: boolean;
  /** Called before the database is open, for work that does not need it yet. */
  prepare?: (deps: Deps) => void;
}

/** Imports these parts while the database opens. A command that another process performs needs none of them. */
const loadParts = () =>
  Promise.all([
    import("./db/schema/migrate.ts"),
    import("./db/schema/schema.ts"),
    import("./deps.ts"),
    import("./operator/commands.ts").then(({ loadOperations }) => loadOperations()),
  ]);

/** The process that holds the directory cannot perform `start` and `migrate`. */
export function createHeldError(config: Config, { command, pid, since }: Holder): AppError {
  return new AppError("data_dir_held", { dataDir: config.dataDir, command, pid, since });
}

/** If another process holds the data directory, that process performs operator commands. `command` is the name that other processes see. */
export async function openInstance(
  config: Config,
  command: string,
  options: InstanceOptions,
): Promise<Instance> {
  if (config.databaseUrl !== undefined)
    return build({ url: config.databaseUrl }, Promise.resolve(), (close) => close());
  let ready: (instance: LocalInstance) => void = () => {};
  let failed: (error: unknown) => void = () => {};
  const opening = new Promise<LocalInstance>((resolve, reject) => {
    ready = resolve;
    failed = reject;
  });
  opening.catch(() => {});
  const occupancy = await occupyDataDir(config.dataDir, command, {
    perform: async (name, input) => performAndLog(await opening, name, input),
    describe: describeForCommand,
  });
  if (!occupancy.held)
    return { local: false, holder: occupancy.holder, perform: occupancy.perform };
  try {
    const { openEmbedded, socketOf } = await import("./db/embedded/pglite.ts");
    const embedded = openEmbedded(config.dataDir);
    const closeEmbedded = () => embedded.then((database) => database.close());
    const address = { socketPath: socketOf(config.dataDir) };
    const leave = (close: () => Promise<void>) =>
      occupancy.leave(() => close().finally(closeEmbedded));
    const instance = await build(address, embedded, leave).catch(async (error: unknown) => {
      await closeEmbedded();
      throw error;
    });
    ready(instance);
    return instance;
  } catch (error) {
    failed(error);
    await occupancy.leave(async () => {});
    throw error;
  }

  async function build(
    address: DatabaseAddress,
    opened: Promise<unknown>,
    leave: (close: () => Promise<void>) => Promise<void>,
  ): Promise<LocalInstance> {
    opened.catch(() => {});
    const [{ migrate }, { readMigrations, requireSchema }, { createDeps }, performOperation] =
      await loadParts();
    const deps = createDeps({ ...options, config, address });
    const closeDeps = async () => {
      await deps.work.end();
      await deps.threads.close().finally(() => deps.database.close());
    };
    const warn = (notice: MigrationNotice) => deps.log.warn(describeNotice(notice));
    try {
      options.prepare?.(deps);
      await opened;
      const migrations = await readMigrations();
      const migrated = options.migrates ? await migrate(address, migrations, { warn }) : [];
      if (!options.migrates) await requireSchema(deps.database.sql, migrations);
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

/** The operator in another process only sees a message that refers to this log. */
async function performAndLog({ deps, perform }: LocalInstance, name: string, input: unknown) {
  try {
    return await perform(name, input);
  } catch (error) {
    if (!isForOperator(error))
      deps.log.error({ err: error, operation: name }, "an operator's command failed");
    throw error;
  }
}

const LONG_MS = 15_000;

interface PerformOptions {
  /** The name that other processes see if they need the data directory. */
  name: string;
  /** False if the command needs an existing database. */
  beginsDatabase: boolean;
  /** True if the command may take longer than the limit for requests. */
  isLong: boolean;
  writeLog: (line: string) => void;
  /** Called in the process that does the work, so that a signal releases its claims. Elsewhere, a signal does not stop the work. */
  onSignal: (listener: () => void) => void;
}

/** Works even if another process takes over the data directory during the run. */
export async function withPerform(
  config: Config,
  { name, beginsDatabase, isLong, writeLog, onSignal }: PerformOptions,
  work: (perform: Perform) => Promise<void>,
): Promise<void> {
  const { databaseUrl, dataDir } = config;
  if (!beginsDatabase && databaseUrl === undefined && !(await holdsDatabase(dataDir)))
    throw new AppError("data_dir_empty", { dataDir });
  const ending = new AbortController();
  let instance: Instance | undefined;
  const oneAtATime = { ...config, databaseConnections: 1 };
  const open = async () => {
    const opened = await openInstance(oneAtATime, `shipscore-server ${name}`, {
      writeLog,
      draining: ending.signal,
      stopping: ending.signal,
      migrates: false,
      ...(isLong && { deadlineMs: LONG_MS }),
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
    if (instance?.local) await instance.deps.work.end();
  } finally {
    ending.abort();
    if (instance?.local) await instance.close();
  }
}
