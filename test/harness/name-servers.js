/* Preloaded into a server's process: the system has the name servers that SYSTEM_NAME_SERVERS lists. */
import { Resolver } from "node:dns/promises";

const SERVERS = (process.env.SYSTEM_NAME_SERVERS ?? "").split(",");
Resolver.prototype.getServers = () => SERVERS;
