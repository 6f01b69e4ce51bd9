import { AddressText } from "../../../shared/report/address.tsx";
import { oneLine } from "../../base/syntax/text.ts";
import { MASK } from "./check-now.tsx";
import { useSay } from "./reader.tsx";

interface AddressProps {
  url: string;
  /** The project's URL. A URL on the same origin is shown without it. */
  within?: string | undefined;
}

const LONGEST_SHOWN = 72;
const LONGEST_END = 25;
/** A page shows up to 100 URLs of up to 2,000 characters, so only shorter ones are kept whole or linked. */
const LONGEST_WHOLE = 160;
const originOf = (url: string) => /^https?:\/\/[^/?#]*/.exec(url)?.[0] ?? "";

const shorten = (text: string) =>
  text.length > LONGEST_SHOWN
    ? `${text.slice(0, LONGEST_SHOWN - LONGEST_END - 1)}…${text.slice(-LONGEST_END)}`
    : text;

/** Breaks only after / ? & and -. A long URL is shown without its middle. */
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

export function LinkedAddress({ url, within }: AddressProps) {
  const address = <Address url={url} within={within} />;
  return url.length > LONGEST_WHOLE ? address : <a href={url}>{address}</a>;
}

const OPEN = { fr: "Ouvrir", en: "Open" } as const;
/** A page links dozens of URLs of up to 2,000 characters. */
export const LONGEST_IN_ROW = 200;

interface SiteLinkProps {
  href?: string | undefined;
  url: string;
  within?: string | undefined;
}

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
