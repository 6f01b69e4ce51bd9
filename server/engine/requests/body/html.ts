import type { InlineStyle } from "../named-files.ts";
import { Enclosure, Depth } from "./nesting.ts";
import {
  type Tag,
  READ_ATTRIBUTES,
  readTokens,
  BODY_ENDS,
  HEAD_ELEMENTS,
  RAW,
  SHOWN,
  OFF_SCREEN,
  XHTML_NAMESPACE,
  isHidden,
  isHiddenInput,
  isShadowRoot,
  readLanguages,
  type TokenHandler,
} from "./html-tokens.ts";
import { Slice } from "../../net/slice.ts";
import type { References } from "./html-references.ts";
import {
  findCompiler,
  type Reference,
  referencesOf,
  Images,
  isCode,
  isDataUrl,
} from "./html-resources.ts";
import { findPlainReferences, findStyleImages } from "./style-text.ts";
import type { Html } from "../../evidence/html.ts";
import { findCredentialsIn } from "./credentials-in.ts";
import { Forms } from "./html-forms.ts";
import { Inlines } from "./html-inlines.ts";
import { Links, Metas, Titles } from "./html-head.ts";
import { PageStep } from "./page-step.ts";
import { StatedAddresses } from "./stated-addresses.ts";
import { OwnMarkup, type PageTexts } from "./page-texts.ts";
import { IdleNetworks } from "./idle-networks.ts";
import { findPrivateUrls, startsFlutter, writesViewport } from "./script-text.ts";
import { readScripts, type InlineScript } from "./script-syntax.ts";
import { TemplateTexts } from "./template-texts.ts";
import { fold, TextCounter, TextRegions, NOTHING, VisibleText } from "./visible-text.ts";

const ROOT_IDS = new Set(
  (
    "root app __next __nuxt ___gatsby app-root react-root react-app vue-app svelte svelte-app " +
    "q-app app-mount main-app ember-app elm-app spa root-app"
  ).split(" "),
);
const ROOT_TAGS = new Set(["div", "main", "section", "app-root"]);

class EmptyRoot {
  emptyId: string | null = null;
  readonly #root = new Enclosure();
  #id = "";
  #filledBefore = 0;

  enter(tag: Tag, filled: number): void {
    const id = tag.name === "app-root" ? tag.name : (tag.attributes.get("id") ?? "");
    if (!this.#root.enter(tag.name, ROOT_TAGS.has(tag.name) && ROOT_IDS.has(id))) return;
    this.#id = id;
    this.#filledBefore = filled;
  }

  leave(name: string, filled: number): void {
    if (this.#root.leave(name) && filled === this.#filledBefore) this.emptyId ??= this.#id;
  }
}

const INERT = new Set(["template", "noscript"]);

/** Browsers block or upgrade addresses over http in a srcdoc as in the page itself. */
async function readSrcdoc(frame: Tag, references: References, slice: Slice): Promise<void> {
  const inert = new Depth(INERT);
  let style: Tag | undefined;
  const add = (tag: Tag, all: ReturnType<typeof referencesOf>): void => {
    const plain = inert.isInside ? [] : all.filter(({ url }) => /^\s*http:/i.test(url));
    for (const reference of plain)
      references.addResource(
        { ...reference, isSample: false },
        { ...tag, line: frame.line, end: frame.end },
      );
  };
  const handler = {
    onOpen(tag: Tag): void {
      inert.enter(tag.name);
      style = tag.name === "style" ? tag : undefined;
      const ofStyle = findPlainReferences(tag.attributes.get("style") ?? "");
      add(tag, [...referencesOf(tag, false), ...ofStyle]);
    },
    onClose(name: string): void {
      inert.leave(name);
      style = undefined;
    },
    onText(text: string): void {
      if (style) add(style, findPlainReferences(text));
    },
    onComment() {},
    onDoctype() {},
  };
  await readTokens(frame.attributes.get("srcdoc") ?? "", READ_ATTRIBUTES, handler, slice);
}

const AMP = ["amp", "\u26a1", "\u26a1\ufe0f"];
const MAX_DOCTYPE_LENGTH = 1000;
const URL_ATTRIBUTES = ["href", "src", "action", "formaction"];
/** Browsers ignore white space and control characters in the scheme of a URL. */
const SCRIPT_URL = /^[\0-\x20]*j[\t\n\r]*a[\t\n\r]*v[\t\n\r]*a[\t\n\r]*script[\t\n\r]*:/i;

function runsCode({ attributes, hasHandler }: Tag): boolean {
  if (hasHandler || attributes.has("srcdoc")) return true;
  if (attributes.size === 0) return false;
  return URL_ATTRIBUTES.some((name) => SCRIPT_URL.test(attributes.get(name) ?? ""));
}

const MAX_SRCDOCS = 10;
/** White space in HTML is ASCII only. */
const NOT_SPACE = /[^\t\n\f\r ]/;

class HtmlReader implements TokenHandler {
  readonly #references: References;
  readonly #own: OwnMarkup;
  readonly #forms: Forms;
  readonly #links: Links;
  readonly #stated: StatedAddresses;
  readonly #templateTexts: TemplateTexts;
  readonly #visible = new VisibleText();
  readonly #shown: TextRegions;
  readonly #noscript = new TextCounter();
  readonly #metas: Metas;
  readonly #titles = new Titles();
  readonly #root = new EmptyRoot();
  readonly #images = new Images();
  #isInitial = true;
  #doctype: string | null = null;
  /** The end tag of the body or of the document was read. */
  hasEnded = false;
  readonly #languages: ReturnType<typeof readLanguages> = { lang: null, xmlLang: null };
  #shownCount = 0;
  #elementCount = 0;
  #offScreenTag = "";
  #rawTag = "";
  #isCode = false;
  #templateDepth = 0;
  #isInNoscript = false;
  /** Content between head and body belongs to the head. */
  #isHeadOpen = true;
  #isXhtml: boolean | null = null;
  #isAmp = false;
  readonly #compilers = new Set<Html["compilers"][number]>();
  readonly #idleNetworks: IdleNetworks;
  #hasHandlers = false;
  readonly srcdocs: Tag[] = [];
  readonly #inlines: Inlines;
  readonly #step: PageStep;

  constructor(page: string, references: References, policy: string, step: PageStep) {
    this.#references = references;
    this.#inlines = new Inlines(page, policy, step);
    this.#step = step;
    this.#own = new OwnMarkup(page);
    this.#shown = new TextRegions(page);
    this.#templateTexts = new TemplateTexts(page);
    this.#idleNetworks = new IdleNetworks(page);
    this.#forms = new Forms((action) => references.locate(action));
    this.#links = new Links(references);
    this.#metas = new Metas(references.cardImages);
    this.#stated = new StatedAddresses(page, references);
  }

  /**
   * A doctype after anything but white space and comments is ignored (HTML, 13.2.6.4.1). Any other declaration is a
   * comment.
   */
  onDoctype(text: string): void {
    if (!this.#isInitial || !/^doctype/i.test(text)) return;
    this.#isInitial = false;
    const kept = text.slice(0, MAX_DOCTYPE_LENGTH).replaceAll("\0", "\ufffd");
    this.#doctype = kept.replace(/\p{Cs}$/u, "");
  }

  onComment(start: number, end: number): void {
    this.#own.hide(start, end);
  }

  onText(text: string, start: number, end: number): void {
    if (this.#isInitial && NOT_SPACE.test(text)) this.#isInitial = false;
    this.#stated.addText(start, end);
    if (this.#isCode) this.#own.hideCode(start, end);
    else if (this.#rawTag || this.#templateDepth > 0) this.#own.hide(start, end);
    if (this.#templateDepth > 0) return;
    if (this.#offScreenTag && end) this.#inlines.addText(end);
    if (this.#offScreenTag === "title") this.#titles.add(text);
    if (this.#offScreenTag) return;
    if (this.#isInNoscript) return this.#noscript.add(fold(text));
    if (this.#isHeadOpen && NOT_SPACE.test(text)) this.#isHeadOpen = false;
    this.#visible.add(text);
    this.#shown.add(start, end);
    this.#templateTexts.add(text);
    this.#links.add(text);
  }

  onClose(name: string): void {
    this.#isInitial = false;
    if (name === this.#offScreenTag) this.#offScreenTag = "";
    if (name === this.#rawTag) {
      this.#rawTag = "";
      this.#isCode = false;
      this.#stated.leave();
    }
    if (name === "template" && this.#templateDepth > 0) this.#templateDepth -= 1;
    else if (this.#templateDepth > 0) return;
    else if (name === "noscript") this.#isInNoscript = false;
    else {
      if (BODY_ENDS.has(name)) this.#isHeadOpen = false;
      if (name === "body" || name === "html") this.hasEnded = true;
      if (!this.#isInNoscript) this.#visible.leave(name);
      this.#templateTexts.leave(name);
      this.#forms.leave(name);
      const left = this.#inlines.leave(name);
      if (left) for (const one of left.plain) this.#references.addResource(one, left.tag);
      this.#links.leave(name);
      this.#images.leave(name);
      this.#root.leave(name, this.#filledLength());
    }
  }

  onOpen(tag: Tag): void {
    this.#isInitial = false;
    this.#hasHandlers ||= runsCode(tag);
    if (OFF_SCREEN.has(tag.name) && !tag.isForeign) this.#offScreenTag = tag.name;
    if (RAW.has(tag.name) && !tag.isForeign) this.#rawTag = tag.name;
    this.#isXhtml ??= tag.name === "html" && tag.attributes.get("xmlns") === XHTML_NAMESPACE;
    const isInert = this.#templateDepth > 0 || this.#isHeadOpen || !isShadowRoot(tag);
    if (tag.name === "template" && isInert) this.#templateDepth += 1;
    if (this.#templateDepth > 0) return this.#own.hide(tag.start, tag.end);
    if (tag.name === "noscript") this.#isInNoscript = true;
    this.#isCode = isCode(tag) && !tag.isForeign && !this.#isInNoscript;
    if (!this.#isInNoscript) this.#readElement(tag);
  }

  #readElement(tag: Tag): void {
    if (!HEAD_ELEMENTS.has(tag.name)) this.#isHeadOpen = false;
    this.#visible.enter(tag);
    const isShown = !this.#visible.isHidden;
    if (isShown && !this.#isHeadOpen && tag.name !== "body") this.#elementCount += 1;
    if (isShown && SHOWN.has(tag.name) && !isHiddenInput(tag)) this.#shownCount += 1;
    this.#templateTexts.enter(tag);
    this.#forms.enter(tag);
    this.#links.enter(tag);
    this.#idleNetworks.enter(tag);
    const compiler = findCompiler(tag);
    if (compiler) this.#compilers.add(compiler);
    this.#stated.enter(tag);
    this.#inlines.enter(tag);
    this.#step.enter(tag);
    this.#root.enter(tag, this.#filledLength());
    this.#images.enter(tag, isShown && !isHidden(tag));
    if (tag.name === "html") this.#readRoot(tag);
    else if (tag.name === "title" && !tag.isForeign) this.#titles.enter();
    else if (tag.name === "meta") this.#metas.enter(tag, this.#isHeadOpen);
    else if (tag.attributes.has("srcdoc") && this.srcdocs.length < MAX_SRCDOCS)
      this.srcdocs.push(tag);
    this.#references.enter(tag);
    if (tag.attributes.size === 0) return;
    const style = tag.attributes.get("style");
    if (style) this.#addReferences(tag, findPlainReferences(style));
    if (style && isShown) this.#addReferences(tag, findStyleImages(style));
    this.#addReferences(tag, referencesOf(tag, this.#isHeadOpen));
  }

  #filledLength(): number {
    return this.#visible.length + this.#images.count + this.#shownCount;
  }

  /** A second html tag adds the attributes that the first lacks (HTML, 13.2.6.4.7). */
  #addReferences(tag: Tag, found: readonly Reference[]): void {
    for (const reference of found)
      if (isDataUrl(reference.url)) this.#inlines.addFile(tag, reference);
      else this.#references.addResource(reference, tag);
  }

  #readRoot(tag: Tag): void {
    const { lang, xmlLang } = readLanguages(tag);
    this.#languages.lang ??= lang;
    this.#languages.xmlLang ??= xmlLang;
    this.#isAmp ||= AMP.some((name) => tag.attributes.has(name));
  }

  getPageTexts(): PageTexts {
    const { shown, length } = this.#visible;
    return { ...this.#own.getParts(), shown, textLength: length };
  }

  readonly readShown = (): string => this.#shown.text;

  get styles(): readonly InlineStyle[] {
    return this.#inlines.styles;
  }

  get scripts(): readonly InlineScript[] {
    return this.#inlines.scripts.kept;
  }

  getFacts(): Omit<
    Html,
    "scriptFaults" | "plainCalls" | "credentials" | "privateUrls" | "writesViewport"
  > {
    this.#links.leave("a");
    return {
      doctype: this.#doctype,
      ...this.#languages,
      ...this.#titles.getFacts(),
      ...this.#metas.getFacts(),
      ...this.#stated.getFacts(),
      ...this.#images.getFacts(),
      isXhtml: this.#isXhtml,
      isAmp: this.#isAmp,
      compilers: [...this.#compilers],
      idleNetworks: this.#idleNetworks.found,
      isHeadWhole: !this.#isHeadOpen,
      shownCount: this.#shownCount,
      elementCount: this.#elementCount,
      ...this.#visible.getFacts(),
      noscriptLength: this.#noscript.length,
      emptyRootId: this.#root.emptyId,
      resources: this.#references.resourcesUnder(this.#inlines.importMap),
      blockingCount: this.#references.blockingCount,
      scriptCount: this.#inlines.scriptCount,
      hasHandlers: this.#hasHandlers,
      inlines: this.#inlines.end(),
      replacedScripts: this.#inlines.replaced,
      base: this.#references.base,
      linkCount: this.#references.linkCount,
      links: this.#references.links.items,
      forms: this.#forms.end(),
      templateTexts: this.#templateTexts.kept,
      ...(this.#visible.isPageHidden && this.#inlines.scriptCount === 0 && NOTHING),
    };
  }
}

export interface HtmlReading {
  html: Html;
  own: PageTexts;
  readShown: () => string;
  styles: readonly InlineStyle[];
  hasEnded: boolean;
}

/** `charset.offset` is the offset of the `>` of the tag that declares it. */
export async function readHtml(
  text: string,
  references: References,
  slice = new Slice(),
  policy = "",
  step = new PageStep(policy, null),
): Promise<HtmlReading> {
  const reader = new HtmlReader(text, references, policy, step);
  await readTokens(text, READ_ATTRIBUTES, reader, slice);
  for (const frame of reader.srcdocs) await readSrcdoc(frame, references, slice);
  const credentials = await findCredentialsIn(text, reader.readShown, slice);
  const own = reader.getPageTexts();
  const privateUrls = await findPrivateUrls(own.code, slice, text);
  const html = {
    ...reader.getFacts(),
    ...(await readScripts(reader.scripts, slice)),
    credentials,
    privateUrls,
    writesViewport: writesViewport(own.code) || startsFlutter(own.code),
  };
  return {
    html,
    own,
    readShown: reader.readShown,
    styles: reader.styles,
    hasEnded: reader.hasEnded,
  };
}
