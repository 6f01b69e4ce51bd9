import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../../config.ts";

const NAME = "shipscore-scan";
const MAX_AGE_SECONDS = 30 * 86_400;
const VALUE = /(?:^|;)\s*shipscore-scan=([0-9A-Za-z]{1,100})(?=;|$)/;

/** The key of the scan in the request's path, if its browser started it. */
export function findScanKey({ headers }: FastifyRequest): string | undefined {
  return VALUE.exec(headers.cookie ?? "")?.[1];
}

type Protection = Pick<Config, "tls" | "behindTlsProxy">;

/** Leaves a scan's key with the browser that started it, for that scan alone; without a key, takes it back. */
export function setScanKey(
  reply: FastifyReply,
  config: Protection,
  id: string,
  key: string | undefined,
): void {
  const parts = [
    `${NAME}=${key ?? ""}`,
    `Path=/scan/${id}`,
    `Max-Age=${key === undefined ? 0 : MAX_AGE_SECONDS}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(config.tls || config.behindTlsProxy ? ["Secure"] : []),
  ];
  reply.header("set-cookie", parts.join("; "));
}
