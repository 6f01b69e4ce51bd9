import type { OwnPage } from "./own-page.ts";

/** A server's own error page says little else; a page about servers has more. */
const MAX_TEXT = 1000;
const BANNER =
  /<(?:center|address|h3|small|i|a [^<>]{0,200})>\s{0,10}(?:Powered by )?((?:nginx|openresty|tengine|angie|freenginx|Apache(?: Tomcat)?|JBoss ?Web|GlassFish Server[a-z ]{0,30}|Payara Server|Jetty:|CherryPy|WEBrick|Resin|mini_httpd|thttpd)[ /]{1,3}\d[\w.+-]{0,30})/i;

/** The product and version in the server's own error page, such as `nginx/1.24.0`; null for any other page. */
export function findBanner({ markup, textLength }: OwnPage): string | null {
  return textLength > MAX_TEXT ? null : (BANNER.exec(markup)?.[1]?.replace(/\s+/g, " ") ?? null);
}
