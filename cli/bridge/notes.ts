import { cleanText } from "../terminal/clean.ts";
import type { Io } from "../terminal/io.ts";

const MAX_UNREAD = 100;

/** Writes lines to stderr without waiting for a reader. Clients may never read it, so what piles up is dropped. */
export function openNotes(io: Io): (text: string) => Promise<void> {
  let unread = 0;
  return async (text) => {
    if (unread >= MAX_UNREAD) return;
    unread += 1;
    void io.note(cleanText(text)).finally(() => (unread -= 1));
  };
}
