/** The judges that ours is set beside. */
export const PEERS = [
  "MDN HTTP Observatory",
  "csp_evaluator",
  "tough-cookie",
  "whatwg-mimetype",
  "robots-parser",
  "parse5",
] as const;
export type Peer = (typeof PEERS)[number];

/** A case: its name, then lines as they are sent; `<meta>` in place of a name stands for a policy or referrer in the page. */
export type Row = readonly [name: string, ...lines: readonly string[]];

/** What a judge makes of a case, and how that is shown; judges agree on a case where their verdicts are the same. */
export interface Opinion {
  readonly verdict: string;
  readonly words: string;
}

export type Judge = (topic: Topic, lines: readonly string[]) => Opinion | Promise<Opinion>;

/** Why a peer and we differ on a case: one sentence, and the section of the standard that settles it. */
export interface Settlement {
  readonly why: string;
  readonly section: string;
  readonly url: string;
}

/** Settlements by the name of the case. */
export type Settlements = Readonly<Record<string, Settlement>>;

/** The cases of one header or text, how we judge them, and what settles each disagreement, by case. */
export interface Topic {
  readonly title: string;
  /** Whether a case's name is what is sent, which need not be shown again. */
  readonly isNamedByInput?: true;
  readonly judge: Judge;
  readonly peers: readonly Peer[];
  readonly rows: readonly Row[];
  readonly settled: Readonly<Partial<Record<Peer, Settlements>>>;
}

/** One settlement for each of the cases. */
export function settle(settlement: Settlement, ...names: readonly string[]): Settlements {
  return Object.fromEntries(names.map((name) => [name, settlement]));
}
