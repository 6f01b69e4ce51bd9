const MAX_EVENT_LENGTH = 8_000_000;

/** Lines that end as those of an event stream do: with CR, LF or both. */
async function* readEventLines(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let isAfterCr = false;
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    if (text === "") continue;
    const lines = text.slice(isAfterCr && text.startsWith("\n") ? 1 : 0).split(/\r\n|\r|\n/);
    isAfterCr = text.endsWith("\r");
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? "";
    if (rest.length > MAX_EVENT_LENGTH) throw new Error("an event is too long");
    yield* lines;
  }
}

/** The data of each event of the type `message`; an event that is cut off is none. */
export async function* readEvents(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let data: string[] = [];
  let length = 0;
  let type = "message";
  for await (const line of readEventLines(body)) {
    if (line === "") {
      if (data.length > 0 && type === "message") yield data.join("\n");
      data = [];
      length = 0;
      type = "message";
      continue;
    }
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "event") type = value || "message";
    if (field !== "data") continue;
    length += value.length;
    if (length > MAX_EVENT_LENGTH) throw new Error("an event is too long");
    data.push(value);
  }
}
