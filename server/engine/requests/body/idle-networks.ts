import type { Html } from "../../evidence/html.ts";
import type { Tag } from "./html-tokens.ts";

const MAX_LINKS = 200;
const MAX_FOUND = 10;
/** In characters. The drawing of an icon may be long. */
const MAX_LENGTH = 3000;
const BEFORE_LENGTH = 200;

const NETWORK =
  /(?<![a-z])(facebook|twitter|instagram|linkedin|youtube|tiktok|pinterest|github|whatsapp|telegram|mastodon|bluesky|threads|discord|snapchat|vimeo|dribbble|behance|tumblr|reddit|google-plus)(?![a-z])/gi;
/** A script opens such a link: it shares the page, signs in or has a handler. */
const OF_SCRIPT =
  /share|partag|teilen|compart|condivi|sign|log-?in|auth|continue|\s(?:on[a-z]+|@[\w.:-]+|v-on:[\w.:-]+|x-on:[\w.:-]+|:href|ng-[a-z]+|data-(?:action|href|url|link|network|target|type|provider|service|popup|modal))\s{0,9}=/i;
const OF_SCRIPT_BEFORE = /share|partag|teilen|compart|condivi|(?:sign|log)[ -]?in with|oauth/i;
/** Words that a link to a network may have beside the network's name. */
const ASIDE =
  /\b(?:follow|find|visit|join|like|see|watch|us|our|my|me|on|the|page|profile|channel|account|icon|logo|link|to|in|f|x|suivez|nous|sur|notre|folgen|sie|uns|auf)\b|[^a-z]/gi;
const TAGS = /<[^<>]*>/g;
const LONGEST_NOWHERE = 40;
const NOWHERE = /^(?:#!?|javascript:\s?(?:void\s?\(?\s?0?\s?\)?)?;?)?$/i;

const isNowhere = (href: string): boolean =>
  href.length <= LONGEST_NOWHERE && NOWHERE.test(href.trim());

export class IdleNetworks {
  readonly found: Html["idleNetworks"] = [];
  readonly #page: string;
  #count = 0;

  constructor(page: string) {
    this.#page = page;
  }

  enter({ name, attributes, start, end, line }: Tag): void {
    const href = name === "a" ? attributes.get("href") : undefined;
    if (href === undefined || !isNowhere(href) || this.#count >= MAX_LINKS) return;
    if (end - start > MAX_LENGTH) return;
    this.#count += 1;
    const rest = this.#page.slice(end + 1, end + 1 + MAX_LENGTH);
    const length = rest.search(/<\/a[\s>]/i);
    if (length < 0) return;
    const markup = this.#page.slice(start - 1, end + 1) + rest.slice(0, length);
    const before = this.#page.slice(Math.max(0, start - BEFORE_LENGTH), start);
    if (OF_SCRIPT.test(markup) || OF_SCRIPT_BEFORE.test(before)) return;
    const text = rest.slice(0, length).replace(TAGS, " ").replace(NETWORK, " ");
    const [, network] = new RegExp(NETWORK.source, "i").exec(markup) ?? [];
    const isNamed = text.replace(ASIDE, "") === "";
    if (network && isNamed && this.found.length < MAX_FOUND)
      this.found.push({ network: network.toLowerCase(), line });
  }
}
