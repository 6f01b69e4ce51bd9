import { LineCounter } from "../../base/syntax/text.ts";
import { findUrl } from "../../base/syntax/url.ts";
import type { Slice } from "../net/slice.ts";
import type { AssetCandidate } from "./body/html-references.ts";
import type { PageNames } from "./body/page-names.ts";
import {
  findUsedFaces,
  readStyleSheet,
  type StyleFile,
  type StyleSheet,
} from "./body/style-sheet.ts";
import { redactUrl } from "./privacy/redact.ts";

/** A style element of the page. */
export interface InlineStyle {
  text: string;
  line: number;
}

/** `base`: the URL to which the addresses in the page are relative. */
export interface PageStyles {
  base: URL;
  inline: readonly InlineStyle[];
  readNames: () => Promise<PageNames>;
}

interface NamingFile {
  url: URL;
  /** Null for the page itself. */
  in: string | null;
  firstLine: number;
  sheet: StyleSheet;
}

const MAX_ICONS = 10;
/** In characters. The address only tells where to look. */
const MAX_IN = 300;
const NOTHING: StyleSheet = { imports: [], faces: [], images: [], fonts: [] };

/** The files that the style sheets and the manifest of a page name. */
export class NamedFiles {
  readonly #styles: PageStyles | null;
  #names: Promise<PageNames> | undefined;
  readonly #naming = new Map<string, NamingFile>();
  readonly #icons: AssetCandidate[] = [];

  constructor(styles: PageStyles | null) {
    this.#styles = styles;
  }

  async readInline(slice: Slice): Promise<void> {
    const { base: url, inline = [] } = this.#styles ?? {};
    for (const [index, { text, line }] of inline.entries()) {
      const sheet = await this.#readSheet(text, slice);
      if (url) this.#naming.set(`${index}`, { url, in: null, firstLine: line, sheet });
    }
  }

  /** Keeps the places of the style sheets, which are read in the order of their answers. */
  expect(candidates: readonly AssetCandidate[]): void {
    for (const { url, kind } of candidates) {
      const named = { url, in: redactUrl(url).slice(0, MAX_IN), firstLine: 1, sheet: NOTHING };
      if (kind === "style") this.#naming.set(url.href, named);
    }
  }

  async read({ url, kind }: AssetCandidate, text: string, slice: Slice): Promise<void> {
    if (kind === "manifest") return this.#readManifest(url, text);
    const known = this.#naming.get(url.href);
    if (known) known.sheet = await this.#readSheet(text, slice);
  }

  #readManifest(url: URL, text: string): void {
    const lines = new LineCounter(text);
    for (const src of readIcons(text)) {
      const icon = findUrl(src, url);
      const line = lines.lineAt(Math.max(0, text.indexOf(src)));
      if (icon?.protocol === "https:")
        this.#icons.push(
          nameFile(icon, { kind: "icon", line, in: redactUrl(url).slice(0, MAX_IN) }),
        );
    }
  }

  get imports(): AssetCandidate[] {
    return this.#list(({ imports }) => imports);
  }

  get others(): AssetCandidate[] {
    const sheets = [...this.#naming.values()].map(({ sheet }) => sheet);
    const used = findUsedFaces(sheets);
    const fonts = this.#list(({ faces }) => faces.filter((face) => used.has(face)));
    return [...fonts, ...this.#list(({ images }) => images), ...this.#icons];
  }

  #list(find: (sheet: StyleSheet) => readonly StyleFile[]): AssetCandidate[] {
    return [...this.#naming.values()].flatMap((naming) =>
      find(naming.sheet).flatMap(({ address, line, kind }) => {
        const url = findUrl(address, naming.url);
        if (url?.protocol !== "https:") return [];
        return [nameFile(url, { kind, line: naming.firstLine + line - 1, in: naming.in })];
      }),
    );
  }

  async #readSheet(text: string, slice: Slice): Promise<StyleSheet> {
    if (!/url\(|@import|font/i.test(text)) return NOTHING;
    this.#names ??= this.#styles?.readNames();
    const names = await this.#names;
    return names ? readStyleSheet(text, names, slice) : NOTHING;
  }
}

function nameFile(named: URL, place: Pick<AssetCandidate, "kind" | "line" | "in">): AssetCandidate {
  const url = new URL(named);
  url.hash = "";
  const isCors = place.kind === "font";
  return { url, tag: "link", load: "now", isCors, referrerPolicy: null, integrity: null, ...place };
}

function readIcons(text: string): string[] {
  try {
    const icons: unknown = (JSON.parse(text) as { icons?: unknown } | null)?.icons;
    const listed: unknown[] = Array.isArray(icons) ? icons.slice(0, MAX_ICONS) : [];
    return listed.flatMap((icon) => {
      const src: unknown = typeof icon === "object" && icon !== null && "src" in icon && icon.src;
      return typeof src === "string" && src !== "" ? [src] : [];
    });
  } catch {
    return [];
  }
}
