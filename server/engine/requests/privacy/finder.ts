interface State {
  readonly next: Map<number, State>;
  readonly depth: number;
  /** The failure link: the longest proper suffix that is a prefix of some needle. */
  back: State | null;
  /** Length of the longest needle that ends here; 0 for none. */
  length: number;
  /** The needle that the state spells. */
  needle: string | null;
  isSeen: boolean;
}

/** Disjoint spans of a text that hold needles, in order. */
export type Spans = readonly (readonly [start: number, end: number])[];

/** Finds many needles in one pass over a text (Aho and Corasick, 1975), in time linear in text and needles. */
export class Finder {
  readonly #start = openState(0);
  /** The needles found so far, in any text. */
  readonly seen = new Set<string>();

  constructor(needles: Iterable<string>) {
    for (const needle of needles) this.#add(needle);
    this.#link();
  }

  #add(needle: string): void {
    let state = this.#start;
    for (let index = 0; index < needle.length; index++) {
      const unit = needle.charCodeAt(index);
      const next = state.next.get(unit) ?? openState(index + 1);
      state.next.set(unit, next);
      state = next;
    }
    state.length = needle.length;
    state.needle = needle;
  }

  #link(): void {
    const states = [this.#start];
    for (const state of states)
      for (const [unit, next] of state.next) {
        next.back = state.back ? this.#step(state.back, unit) : this.#start;
        next.length ||= next.back.length;
        states.push(next);
      }
  }

  #step(from: State, unit: number): State {
    let state: State | null = from;
    while (state && !state.next.has(unit)) state = state.back;
    return state?.next.get(unit) ?? this.#start;
  }

  /** `rest`: how many characters at the end of the text are the beginning of an unfinished needle. */
  find(text: string): { spans: Spans; rest: number } {
    const spans: [number, number][] = [];
    let state = this.#start;
    for (let index = 0; index < text.length; index++) {
      state = this.#step(state, text.charCodeAt(index));
      if (state.length === 0) continue;
      join(spans, index + 1 - state.length, index + 1);
      this.#see(state);
    }
    return { spans, rest: state.depth };
  }

  #see(last: State): void {
    for (let state: State | null = last; state && !state.isSeen; state = state.back) {
      state.isSeen = true;
      if (state.needle !== null) this.seen.add(state.needle);
    }
  }
}

function openState(depth: number): State {
  return { next: new Map(), depth, back: null, length: 0, needle: null, isSeen: false };
}

/** Adds a span that ends after all others, merging those it touches. */
function join(spans: [number, number][], start: number, end: number): void {
  let first = start;
  for (let last = spans.at(-1); last && last[1] >= first; last = spans.at(-1)) {
    first = Math.min(first, last[0]);
    spans.pop();
  }
  spans.push([first, end]);
}
