export interface ServerEvent {
  event: string;
  data: { state?: string; step?: string; text?: string };
}

export async function* readEvents(answer: Response): AsyncGenerator<ServerEvent, undefined> {
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.+)$/.exec(block) ?? [];
      if (event) yield { event, data: JSON.parse(data) as ServerEvent["data"] };
    }
  }
}
