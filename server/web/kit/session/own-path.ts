import { isUrl } from "../../../../shared/url.ts";

/** A link in an e-mail has it too, so that it is no place for a stranger's text. */
const MAX_LENGTH = 500;

/** A path of this server, with its query, if the text is one; a browser would read others as another site's. */
export function readOwnPath(text: string | undefined): string | undefined {
  const base = "http://own.invalid";
  if (
    text === undefined ||
    text.length > MAX_LENGTH ||
    !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) ||
    !isUrl(text, base)
  )
    return undefined;
  const { origin, pathname, search } = new URL(text, base);
  return origin === base && !pathname.startsWith("//") ? pathname + search : undefined;
}
