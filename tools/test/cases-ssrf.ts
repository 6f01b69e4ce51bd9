import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { parseNetworks } from "../../server/engine/net/address.ts";
import {
  isVettedAddress,
  openGuard,
  type Guard,
  type Target,
} from "../../server/engine/net/guard.ts";
import { followRedirect } from "../../server/engine/requests/redirect-chain.ts";
import type { Resolution, Resolver } from "../../server/engine/net/resolve.ts";

const Addresses = z.array(z.string());

const Case = z.object({
  id: z.string(),
  input: z.string(),
  resolves_to: Addresses.nullable(),
  verdict: z.enum(["allow", "refuse"]),
  reason: z.string().default(""),
  /** The URLs of earlier hops, if `input` is the Location of the last answer. */
  redirect_from: z.array(z.url()).min(1).optional(),
  /** The link in the page at BASE that resolves to `input`. */
  derived_from: z.string().optional(),
  env: z
    .object({ local_addresses: Addresses.optional(), resolv_conf_search: Addresses.optional() })
    .optional(),
  /** The answer to a second lookup. `must_connect_to`: the addresses to which connections are still allowed. */
  then_resolves_to: Addresses.nullable().optional(),
  must_connect_to: Addresses.optional(),
  connected_remote_address: z.string().optional(),
});
type Case = z.infer<typeof Case>;

const BASE = new URL("https://page.example.com/");

/** Creates a resolver in which a name with a search suffix resolves to loopback. */
function createCaseResolver({ resolves_to, then_resolves_to, env }: Case): Resolver {
  let next = resolves_to;
  return {
    async resolve(name): Promise<Resolution> {
      const suffixed = env?.resolv_conf_search?.some((suffix) => name.endsWith(`.${suffix}`));
      const addresses = suffixed ? ["127.0.0.1"] : next;
      if (then_resolves_to !== undefined) next = then_resolves_to;
      return addresses?.length ? { outcome: "found", addresses } : { outcome: "not_found" };
    },
  };
}

async function findTarget(
  guard: Guard,
  { input, redirect_from, derived_from }: Case,
): Promise<Target | undefined> {
  if (redirect_from !== undefined) {
    const visited = redirect_from.map((url) => new URL(url));
    const next = await followRedirect(guard, visited, input);
    return "follow" in next ? next.follow : undefined;
  }
  const vetting = await guard.vet(input, derived_from === undefined ? {} : { base: BASE });
  return vetting.ok ? vetting.target : undefined;
}

/** Vets the URL again if the second lookup has its own answer. The addresses to connect to must still be those of the first lookup. */
async function isAllowed(row: Case): Promise<boolean> {
  const network = {
    resolver: createCaseResolver(row),
    allowNetworks: parseNetworks(""),
    localAddresses: () => row.env?.local_addresses ?? [],
  };
  const guard = openGuard(network, new AbortController().signal);
  let target = await findTarget(guard, row);
  if (row.then_resolves_to !== undefined) target = await findTarget(guard, row);
  if (target === undefined) return false;
  if (
    row.must_connect_to !== undefined &&
    !isDeepStrictEqual(target.addresses, row.must_connect_to)
  )
    return false;
  const { connected_remote_address: remoteAddress = target.addresses[0] } = row;
  return isVettedAddress(target, remoteAddress);
}

async function readCases(file: string | undefined): Promise<Case[]> {
  if (file === undefined) throw new Error("usage: tsx tools/test/cases-ssrf.ts FILE");
  const rows: unknown = JSON.parse(await readFile(file, "utf8"));
  const { data, error } = z.array(Case).safeParse(rows);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new Error(`${file}: ${issue?.path.join(".")}: ${issue?.message}`);
}

export async function runCases(
  file: string | undefined,
): Promise<{ code: 0 | 1 | 2; lines: string[] }> {
  try {
    const cases = await readCases(file);
    const lines: string[] = [];
    for (const row of cases) {
      const verdict = (await isAllowed(row)) ? "allow" : "refuse";
      if (verdict !== row.verdict)
        lines.push(
          `${row.id}: ${verdict}, expected ${row.verdict}: ${JSON.stringify(row.input)}, ${row.reason}`,
        );
    }
    const agreed = cases.length - lines.length;
    return { code: lines.length > 0 ? 1 : 0, lines: [...lines, `${agreed} of ${cases.length}`] };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { code: 2, lines: [`cases-ssrf: ${words}`] };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { code, lines } = await runCases(process.argv[2]);
  (code === 2 ? process.stderr : process.stdout).write(`${lines.join("\n")}\n`);
  process.exitCode = code;
}
