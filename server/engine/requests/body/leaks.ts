import type { Leak } from "../../evidence/body.ts";
import { Slice } from "../../net/slice.ts";
import type { OwnPage } from "./own-page.ts";
import { findSignature, LEAKS } from "./signature.ts";
import { findTrace } from "./traces.ts";

/**
 * A default page, directory index, stack trace or development overlay, recognised by its markup; `offset` counts
 * characters.
 */
export async function findLeak(page: OwnPage, slice = new Slice()): Promise<Leak | null> {
  const found = await findSignature(LEAKS, page, slice);
  return found ? { signature: found.name, offset: found.offset } : findTrace(page);
}
