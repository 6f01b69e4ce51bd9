import { AddressText } from "../../../shared/report/address.tsx";
import { oneLine } from "../../base/syntax/text.ts";
import { MASK } from "./check-now.tsx";
import { useSay } from "./reader.tsx";

interface AddressProps {
  url: string;
  /** The address of the project that the page is of: what lies on the same host is named by its path alone. */
  within?: string | undefined;
}

const LONGEST_SHOWN = 72;
/** What stays of the end of a longer one. */
const LONGEST_END = 25;
/** A page has a hundred addresses, and each may have 2,000 characters: only shorter ones are there as a whole, or lead there. */
const LONGEST_WHOLE = 160;
const originOf = (url: string) => /^https?:\/\/[^/?#]*/.exec(url)?.[0] ?? "";

const shorten = (text: string) =>
  text.length > LONGEST_SHOWN
    ? `${text.slice(0, LONGEST_SHOWN - LONGEST_END - 1)}…${text.slice(-LONGEST_END)}`
    : text;

/** An address, which breaks only after / ? & and -, without the middle of a long one. */
export function Address({ url, within }: AddressProps) {
  const isShort = url.length <= LONGEST_WHOLE;
  const whole = oneLine(url, LONGEST_WHOLE);
  const origin = originOf(url);
  const isOwn = within !== undefined && origin !== "" && originOf(within) === origin;
  const full = isOwn ? whole.slice(origin.length) || "/" : whole;
  const text = shorten(full);
  const shown = <AddressText text={text} />;
  return isShort && text !== full ? <span title={whole}>{shown}</span> : shown;
}

/** An address that leads there, unless it is too long for it. */
export function LinkedAddress({ url, within }: AddressProps) {
  const address = <Address url={url} within={within} />;
  return url.length > LONGEST_WHOLE ? address : <a href={url}>{address}</a>;
}

const OPEN = { fr: "Ouvrir", en: "Open" } as const;
/** A page has dozens of addresses, and each may have 2,000 characters. */
export const LONGEST_IN_ROW = 200;

interface SiteLinkProps {
  /** The page of the application that tells of the address, unless the row has another way there. */
  href?: string | undefined;
  url: string;
  /** The address of the project that the page is of. */
  within?: string | undefined;
}

/** An address that leads to its row's own page, and a small arrow that leads to the site, unless values are masked. */
export function SiteLink({ href, url, within }: SiteLinkProps) {
  const say = useSay();
  const isWhole = url.startsWith("https://") && !url.includes(MASK) && url.length <= LONGEST_IN_ROW;
  const address = <Address url={url} within={within} />;
  return (
    <>
      {href === undefined ? address : <a href={href}>{address}</a>}
      {isWhole && (
        <>
          {" "}
          <a class="out" href={url} aria-label={`${say(OPEN)} ${url}`}>
            ↗
          </a>
        </>
      )}
    </>
  );
}
