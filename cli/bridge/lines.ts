export interface Line {
  readonly sizeBytes: number;
  /** Null for a line that is too long to be kept. */
  readonly text: string | null;
}

const MAX_KEPT_BYTES = 10_000_000;
const NEWLINE = 0x0a;

/** Reads lines as they come, the last one also without its end. Keeps only the size of a line that is too long. */
export async function* readLines(input: AsyncIterable<Buffer | string>): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let sizeBytes = 0;

  function add(part: Buffer): void {
    sizeBytes += part.length;
    if (sizeBytes > MAX_KEPT_BYTES) parts = [];
    else parts.push(part);
  }

  function take(): Line {
    const isKept = sizeBytes <= MAX_KEPT_BYTES;
    const line = {
      sizeBytes,
      text: isKept ? new TextDecoder().decode(Buffer.concat(parts)) : null,
    };
    parts = [];
    sizeBytes = 0;
    return line;
  }

  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      add(bytes.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(bytes.subarray(start));
  }
  if (sizeBytes > 0) yield take();
}
