const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;

/**
 * The https URL that a person means who types an address: `example.com` has no scheme, and http is taken as https.
 * Whether it is a URL at all is decided by whoever vets it.
 */
export function completeUrl(typed: string): string {
  const text = typed.trim();
  if (text === "") return text;
  return SCHEME.test(text) ? text.replace(/^http:/i, "https:") : `https://${text}`;
}
