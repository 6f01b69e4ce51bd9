/**
 * Matches a hash in a file name, as in `app.3f9c2b1a.js`, `index-BcD3f4Gh.css` and `main-K3JX7Q2M.js`. A hash has 8 to
 * 64 hexadecimal digits, which must not form a date, or 8 other characters with a digit between letters. These 8
 * characters are base64url in both cases, or capitals that do not read like `2026EDIT` or `1280X720`.
 */
const HASH =
  /[.\-_](?:(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{8,64}|(?=[\w-]{8}$)(?=.*[a-z])(?=.*[A-Z])(?=.*[a-zA-Z].*\d.*[a-zA-Z]).{8}|(?=[A-Z\d]{8}$)(?=.*[A-Z]\d+[A-Z]).{8})$/;
/** A UUID is a random name, so it does not prove that the content never changes. */
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const LONGEST_HASH = 64;
const EXTENSION = /^[a-z0-9]+$/;

/** A name may have several extensions: `app.3f9c2b1a.js.map`. */
export function isHashedName(path: string): boolean {
  const parts = path.split(".");
  for (let index = parts.length - 1; index > 0 && EXTENSION.test(parts[index] ?? ""); index--) {
    const separator = index > 1 ? "." : "";
    const before = separator + (parts[index - 1] ?? "");
    const end = before.slice(-1 - LONGEST_HASH);
    if (HASH.test(end) && !UUID.test(end)) return true;
  }
  return false;
}
