/**
 * Matches a hash in a file name, as in `app.3f9c2b1a.js`, `index-BcD3f4Gh.css` and `main-K3JX7Q2M.js`. A hash has 8 to
 * 64 hexadecimal digits, which must not form a date, or 8 other characters with a digit between letters. These 8
 * characters are base64url in both cases, or capitals that do not read like `2026EDIT` or `1280X720`.
 */
const HASH =
  /[.\-_](?:(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{8,64}|(?=[\w-]{8}$)(?=.*[a-z])(?=.*[A-Z])(?=.*[a-zA-Z].*\d.*[a-zA-Z]).{8}|(?=[A-Z\d]{8}$)(?=.*[A-Z]\d+[A-Z]).{8})$/;
/**
 * Names that look like a hash and stay when the content changes: a UUID, Doxygen's folder, the time at which WordPress
 * edited an image, Unsplash's and Strapi's ids, and words such as `facade2026`.
 */
const STABLE =
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$|\/dir_[\da-f]{32}$|-e1\d{9,12}$|\/photo-\d{10,13}-[\da-f]{12}$|\/uploads\/[^/]*_[\da-f]{10}$|[.\-_](?:facade|decade|cafe|face|dec|feb)\d+$/i;
/** Next.js gives a file no name but its hash. */
const OF_NEXT = /\/_next\/static\/(?:chunks|css)\/[\da-f]{16}\.(?:js|css)$/;
/** Webflow writes the id of the site before this extension. */
const OF_WEBFLOW = "webflow";
const LONGEST_STABLE = 200;
const LONGEST_HASH = 64;
const EXTENSION = /^[a-z0-9]+$/;

/** A name may have several extensions: `app.3f9c2b1a.js.map`. */
export function isHashedName(path: string): boolean {
  if (OF_NEXT.test(path.slice(-LONGEST_STABLE))) return true;
  const parts = path.split(".");
  for (let index = parts.length - 1; index > 0 && EXTENSION.test(parts[index] ?? ""); index--) {
    const separator = index > 1 ? "." : "";
    const before = separator + (parts[index - 1] ?? "");
    const isHashed = HASH.test(before.slice(-1 - LONGEST_HASH));
    const isStable = parts[index] === OF_WEBFLOW || STABLE.test(before.slice(-LONGEST_STABLE));
    if (isHashed && !isStable) return true;
  }
  return false;
}
