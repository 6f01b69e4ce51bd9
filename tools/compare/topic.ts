/** The judges with which ours is compared. */
export const PEERS = [
  "MDN HTTP Observatory",
  "csp_evaluator",
  "tough-cookie",
  "whatwg-mimetype",
  "robots-parser",
  "parse5",
] as const;
export type Peer = (typeof PEERS)[number];

/** A case: its name, then lines as they are sent; a line named `<meta>` is a policy or referrer in the page. */
export type TopicRow = readonly [name: string, ...lines: readonly string[]];

/** A judge's verdict on a case, and how it is shown. Judges agree on a case if their verdicts are equal. */
export interface Opinion {
  readonly verdict: string;
  readonly words: string;
}

export type Judge = (topic: Topic, lines: readonly string[]) => Opinion | Promise<Opinion>;

/** Why we and a peer differ on a case: one sentence, and the section of the standard that settles it. */
export interface Settlement {
  readonly why: string;
  readonly section: string;
  readonly url: string;
}

/** Settlements by case name. */
export type Settlements = Readonly<Record<string, Settlement>>;

/** The cases of one header or text, how we judge them, and what settles each disagreement, by case. */
export interface Topic {
  readonly title: string;
  /** Whether a case's name is the input itself, which then is not shown again. */
  readonly isNamedByInput: boolean;
  readonly judge: Judge;
  readonly peers: readonly Peer[];
  readonly rows: readonly TopicRow[];
  readonly settled: Readonly<Partial<Record<Peer, Settlements>>>;
}
