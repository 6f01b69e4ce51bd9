import { Address } from "./address.tsx";
import { MASK } from "./check-now.tsx";
import { useSay } from "./reader.tsx";

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
