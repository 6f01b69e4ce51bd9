const FONT_HOSTS =
  /^(?:fonts\.googleapis\.com|(?:use|p)\.typekit\.net|fonts\.bunny\.net|api\.fontshare\.com|rsms\.me|cloud\.typography\.com|fast\.fonts\.net)$/;

/** Whether a style sheet only declares fonts; without them the browser uses others. */
export function isFontSheet({ hostname }: URL): boolean {
  return FONT_HOSTS.test(hostname);
}
