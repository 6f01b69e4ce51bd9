import type { Text } from "../../../base/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findAnswer, pageHeader } from "../../evidence/page.ts";
import { findPlatform } from "./platforms.ts";
import { describeSender } from "./web-server.ts";

const HEADER = /^(?<name>[A-Za-z-]+): (?<value>.+)$/;

/**
 * Where a header line is set, on the platform or web server that sent the page. Undefined for a header that the page
 * has already, since one more would be sent beside it.
 */
export function findHeaderPlace(evidence: Evidence, line: string | undefined): Text | undefined {
  const { name = "", value = "" } = HEADER.exec(line ?? "")?.groups ?? {};
  const answer = findAnswer(evidence);
  if (name === "" || !answer || pageHeader(evidence, name.toLowerCase()).length > 0)
    return undefined;
  const platform = findPlatform(answer.headers);
  return platform ? platform.headers : describeSender(answer, name, value);
}
