const FONT_HOSTS =
  /^(?:fonts\.googleapis\.com|(?:use|p)\.typekit\.net|fonts\.bunny\.net|api\.fontshare\.com|rsms\.me|cloud\.typography\.com|fast\.fonts\.net)$/;

/** Whether a style sheet at the URL names fonts alone, in place of which others are shown. */
export function isFontSheet({ hostname }: URL): boolean {
  return FONT_HOSTS.test(hostname);
}
