import { execFileSync, spawnSync } from "node:child_process";

/** Separate networks for processes of this machine, joined by a bridge. */
export interface Namespaces {
  /** This machine's own address on the bridge, which all of the networks can reach. */
  readonly address: string;
  /** Returns the prefix of a command that runs in the named network. */
  within(name: string): string[];
  /** Disconnects one network, or connects it again. */
  cut(name: string, isCut: boolean): void;
  addressOf(name: string): string;
  close(): void;
}

const ip = (words: string) => execFileSync("ip", words.split(" "), { stdio: "pipe" });

/** True on Linux as root, where namespaces and bridges can be created. */
export function canIsolate(): boolean {
  const name = `sc${process.pid}p`;
  const tries = [`netns add ${name}`, `link add ${name} type bridge`, `link del ${name}`];
  const works = tries.every((words) => spawnSync("ip", words.split(" ")).status === 0);
  spawnSync("ip", ["netns", "del", name]);
  return works;
}

export function startNamespaces(names: readonly string[]): Namespaces {
  const bridge = `sc${process.pid}b`;
  const subnet = `10.77.${process.pid % 250}`;
  const namespaceOf = (name: string) => `sc${process.pid}-${name}`;
  const cableOf = (name: string) => `sc${process.pid}${names.indexOf(name)}`;
  ip(`link add ${bridge} type bridge`);
  ip(`addr add ${subnet}.1/24 dev ${bridge}`);
  ip(`link set ${bridge} up`);
  for (const [index, name] of names.entries()) {
    const [namespace, cable] = [namespaceOf(name), cableOf(name)];
    ip(`netns add ${namespace}`);
    ip(`link add ${cable} type veth peer name eth0 netns ${namespace}`);
    ip(`link set ${cable} master ${bridge} up`);
    ip(`-n ${namespace} addr add ${subnet}.${index + 2}/24 dev eth0`);
    ip(`-n ${namespace} link set eth0 up`);
    ip(`-n ${namespace} link set lo up`);
  }
  return {
    address: `${subnet}.1`,
    within: (name) => ["ip", "netns", "exec", namespaceOf(name)],
    cut: (name, isCut) => void ip(`link set ${cableOf(name)} ${isCut ? "down" : "up"}`),
    addressOf: (name) => `${subnet}.${names.indexOf(name) + 2}`,
    close() {
      for (const name of names) ip(`netns del ${namespaceOf(name)}`);
      ip(`link del ${bridge}`);
    },
  };
}
