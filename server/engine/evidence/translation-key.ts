const SECTIONS =
  "home|homepage|landing|index|main|pages?|site|website|app|common|general|global|shared|layout|translations?|messages|labels|auth|login|signin|signup|register|account|profile|settings|dashboard|about|contact|pricing|features|faq|blog|products?|checkout|cart|shop|search|errors?|notfound|forms?|meta|seo|welcome|hello|testimonials|services|team|newsletter|cookies?|consent|banner|sections?|modal|accueil";
const BARS = "nav|navigation|navbar|menu|header|footer|sidebar|hero|cta|buttons?|actions|links";
const ROLES = String.raw`(?:[a-z\d_-]{0,25}(?:title|heading|headline|description|label|button|tagline|placeholder)|desc|text|body|content|btn|cta|link|message|lead|intro|copyright|submit|cancel|save|send|(?:learn|read)?[_-]?more|get[_-]?started|welcome|greeting|caption|hint|question|answer|name|email|password)\d?`;
const ENTRIES =
  "home|about|contact|pricing|features|privacy|terms|legal|imprint|faq|docs|(?:sign|log)[_-]?(?:in|up|out)|register|services|products|team|careers|news|blog|help|support|search|cart|account|profile|dashboard|language|rights";
const PART = String.raw`[a-z][a-z\d_-]{0,30}`;
const NAMESPACE = `^(?:${PART}:)?`;
/** A key that can only be a translation key: a section, one or more parts, and a role or a menu entry. */
const LONG = new RegExp(
  String.raw`${NAMESPACE}(?:${SECTIONS}|${BARS})(?:page|view)?(?:\.${PART}){1,4}\.(?:${ROLES}|${ENTRIES})$`,
  "i",
);
const SHORT = new RegExp(
  String.raw`${NAMESPACE}(?:(?:${SECTIONS})(?:page|view)?\.${ROLES}|(?:${BARS})\.(?:${ROLES}|${ENTRIES}))$`,
  "i",
);
/** Rails and I18n.js show this for a missing text. */
const MISSING = /^(?:translation missing: [\w.-]{3,80}|\[missing "[\w.-]{3,80}" translation\])$/i;
const MAX_LENGTH = 120;

export function findKeyForm(text: string): "long" | "short" | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (/\s/.test(text)) return MISSING.test(text) ? "long" : undefined;
  if (LONG.test(text)) return "long";
  return SHORT.test(text) ? "short" : undefined;
}
