/** The two judges that ours is set beside. */
export const PEERS = ["MDN HTTP Observatory", "csp_evaluator"] as const;
export type Peer = (typeof PEERS)[number];

/** A case: its name, then lines as they are sent; `<meta>` in place of a name stands for a policy or referrer in the page. */
export type Row = readonly [name: string, ...lines: readonly string[]];

/** Why a peer and we differ on a case: one sentence, and the section of the standard that settles it. */
export interface Settlement {
  readonly why: string;
  readonly section: string;
  readonly url: string;
}

/** The cases of one header, the rules of ours that judge it, and what settles each disagreement, by case. */
export interface Topic {
  readonly title: string;
  readonly rules: readonly string[];
  readonly peers: readonly Peer[];
  readonly rows: readonly Row[];
  readonly settled: Readonly<Partial<Record<Peer, Readonly<Record<string, Settlement>>>>>;
}
