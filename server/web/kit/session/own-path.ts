import { isUrl } from "../../../../shared/url.ts";

/** A path of this server, with its query, if the text is one; a browser would read others as another site's. */
export function readOwnPath(text: string | undefined): string | undefined {
  const base = "http://own.invalid";
  if (text === undefined || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || !isUrl(text, base))
    return undefined;
  const { origin, pathname, search } = new URL(text, base);
  return origin === base && !pathname.startsWith("//") ? pathname + search : undefined;
}
