const FONT_HOSTS =
  /^(?:fonts\.googleapis\.com|(?:use|p)\.typekit\.net|fonts\.bunny\.net|api\.fontshare\.com|rsms\.me|cloud\.typography\.com|fast\.fonts\.net)$/;

/** Without these style sheets, the browser uses other fonts. */
export function isFontSheet({ hostname }: URL): boolean {
  return FONT_HOSTS.test(hostname);
}
