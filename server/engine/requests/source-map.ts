import { ACCEPT_ANY } from "./answer.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { findUrl } from "../../base/syntax/url.ts";
import { redactUrl } from "./privacy/redact.ts";
import { askSample } from "./samples.ts";
import type { ProbeContext } from "./context.ts";

/** R12: whether the first source map that a file of the site names is there (HEAD); null if none is named, or no request was left. */
export async function askSourceMap(
  context: ProbeContext,
  assets: readonly (Evidence["assets"][number] | null)[],
): Promise<Evidence["sourceMap"]> {
  const [first] = assets.flatMap((asset) => (asset?.file?.sourceMap ? [asset] : []));
  const url = first && findUrl(first.file?.sourceMap ?? "", findUrl(first.url));
  if (url?.protocol !== "https:") return null;
  const sent = await askSample(context, url, { method: "HEAD", accept: ACCEPT_ANY, maxBytes: 0 });
  return sent && { ...sent.answer, url: redactUrl(url), file: first?.url ?? "" };
}
