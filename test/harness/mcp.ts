import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { sendRequest } from "./request.ts";

export const LEGACY = ["2025-06-18", "2025-11-25"] as const;
export const MODERN = "2026-07-28";
export const GENERATIONS = [...LEGACY, MODERN] as const;
export type Generation = (typeof GENERATIONS)[number];

/** Creates an SDK client for this version, by default for the newest one that the server offers. */
export function createClient(generation?: Generation): Client {
  const who = { name: "test", version: "1" };
  if (generation === undefined) return new Client(who, { versionNegotiation: { mode: "auto" } });
  return new Client(
    who,
    generation === MODERN
      ? { versionNegotiation: { mode: { pin: MODERN } } }
      : { supportedProtocolVersions: [generation] },
  );
}

/** Connects an SDK client for this version to the server's /mcp. */
export async function connectClient(
  serverUrl: string,
  token: string,
  generation: Generation,
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = createClient(generation);
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", serverUrl), {
    requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
  });
  await client.connect(transport);
  return client;
}

export interface PostOptions {
  token?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Posts one message to the server's /mcp. Uses a 2025 version, unless the headers name another. */
export const postMcp = (serverUrl: string, body: unknown, options: PostOptions = {}) =>
  sendRequest(serverUrl, "/mcp", {
    method: "POST",
    body,
    ...options,
    headers: { accept: "application/json, text/event-stream", ...options.headers },
  });

export const callOf = (name: string, input: object = {}, id = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: input },
});

/** The metadata in every message of the newest version. */
export const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The headers of a message in the newest version. `name`: the tool that the message calls. */
export const modernHeadersOf = (method: string, name?: string): Record<string, string> => ({
  "mcp-protocol-version": MODERN,
  "mcp-method": method,
  ...(name !== undefined && { "mcp-name": name }),
});

/** A message of the newest version that calls a tool. */
export function modernCallOf(name: string, input: object = {}) {
  const message = callOf(name, input);
  return { ...message, params: { ...message.params, _meta: MODERN_META } };
}
