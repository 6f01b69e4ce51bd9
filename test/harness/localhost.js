/* Preloaded into a server's process: `localhost` resolves to LOCALHOST_LEADS_TO, as a hosts file could define. */
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { isIP } from "node:net";

const ADDRESSES = (process.env.LOCALHOST_LEADS_TO ?? "")
  .split(",")
  .map((address) => ({ address, family: isIP(address) }));
const { lookup, promises } = dns;
const { lookup: lookupPromise } = promises;

const choose = ({ all, order, verbatim } = {}) => {
  const isSorted = order === "ipv4first" || verbatim === false;
  const found = isSorted ? ADDRESSES.toSorted((a, b) => a.family - b.family) : ADDRESSES;
  return all ? found : found[0];
};

dns.lookup = (host, options, callback) => {
  if (typeof options === "function") return dns.lookup(host, {}, options);
  if (host !== "localhost") return lookup(host, options, callback);
  const found = choose(options);
  if (Array.isArray(found)) return callback(null, found);
  return callback(null, found.address, found.family);
};
promises.lookup = async (host, options) =>
  host === "localhost" ? choose(options) : lookupPromise(host, options);
syncBuiltinESMExports();
