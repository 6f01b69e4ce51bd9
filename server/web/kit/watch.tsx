import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../base/language.ts";
import { MASK } from "./check-now.tsx";

const WATCH: Text = { fr: "Surveiller cette page", en: "Watch this page" };

/** Leads to a new project with the page's address, through the sign-in for a visitor. */
export function WatchLink({ url, language }: { url: string; language: Language }) {
  const [address = ""] = url.includes(MASK) ? url.split("?", 1) : [url];
  return (
    <a class="button second" href={`/projects/new?url=${encodeURIComponent(address)}`}>
      {say(WATCH, language)}
    </a>
  );
}
