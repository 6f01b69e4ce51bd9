import type { WantedAttributes } from "./html-tokens.ts";

function attributeTable(rows: Record<string, string>): WantedAttributes {
  return new Map(Object.entries(rows).map(([tag, names]) => [tag, new Set(names.split(" "))]));
}

const LINK =
  "href rel data-method data-turbo-method hx-post hx-put hx-patch hx-delete data-hx-post data-hx-put data-hx-patch data-hx-delete up-method";

/** The attributes that are read, by element. */
export const WANTED = attributeTable({
  html: "lang xml:lang xmlns hidden style",
  body: "hidden style",
  base: "href",
  meta: "name property http-equiv content charset",
  link: "rel href hreflang type as media disabled imagesrcset onload integrity crossorigin referrerpolicy nonce",
  form: "action method onsubmit",
  button: "type formaction formmethod aria-hidden",
  script:
    "id src href xlink:href type async defer nomodule nonce integrity crossorigin referrerpolicy",
  style: "type nonce",
  img: "src srcset alt role aria-label aria-labelledby aria-hidden title crossorigin referrerpolicy hidden style",
  svg: "hidden style",
  source: "src srcset",
  video: "src poster preload autoplay crossorigin",
  audio: "src preload autoplay crossorigin",
  track: "src",
  embed: "src",
  object: "data",
  iframe: "src srcdoc",
  frame: "src",
  input: "type src name formaction formmethod",
  image: "href xlink:href",
  a: `${LINK} aria-hidden`,
  area: LINK,
  template: "shadowrootmode",
  div: "id hidden style aria-hidden",
  main: "id hidden style",
  section: "id hidden style aria-hidden",
  article: "hidden style",
  aside: "hidden style aria-hidden",
  nav: "hidden style",
  ul: "hidden style",
  header: "hidden style",
  span: "hidden style aria-hidden",
  figure: "aria-hidden",
  picture: "aria-hidden",
  dialog: "open",
});

/** Elements that neither open a body nor close a head (HTML, 13.2.6.4.4 and 13.2.6.4.6). */
export const HEAD_ELEMENTS = new Set(
  "html head base basefont bgsound link meta noframes noscript script style template title".split(
    " ",
  ),
);
/** End tags that open a body which is not open yet. */
export const BODY_ENDS = new Set(["body", "html", "br"]);
export const XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml";

/** Elements that show something without text. */
export const SHOWN = new Set(
  "iframe frame canvas svg math video audio object embed input button select textarea meter progress".split(
    " ",
  ),
);
/** Elements whose text is not on the screen. */
export const SILENT = new Set("script style title iframe noembed noframes".split(" "));
/** Elements whose content is text, whatever it looks like. */
export const RAW = new Set("script style iframe noembed noframes textarea xmp".split(" "));
