import type { Text } from "../../base/language.ts";
import { MASK } from "./check-now.tsx";
import { useSay } from "./reader.tsx";

const WATCH: Text = { fr: "Surveiller cette page", en: "Watch this page" };

/** Leads to a new project with the page's address, through the sign-in for a visitor. */
export function WatchLink({ url }: { url: string }) {
  const say = useSay();
  const [address = ""] = url.includes(MASK) ? url.split("?", 1) : [url];
  return (
    <a class="button second" href={`/projects/new?url=${encodeURIComponent(address)}`}>
      {say(WATCH)}
    </a>
  );
}
