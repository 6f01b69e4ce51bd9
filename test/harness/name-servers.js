/* Preloaded into a server's process: makes SYSTEM_NAME_SERVERS the system's name servers. */
import { Resolver } from "node:dns/promises";

const SERVERS = (process.env.SYSTEM_NAME_SERVERS ?? "").split(",");
Resolver.prototype.getServers = () => SERVERS;
