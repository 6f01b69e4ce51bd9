/** A longer part breaks anywhere, since it may not fit a line of a narrow page. */
const LONGEST_UNBROKEN = 24;
/** The parts after which a line may break. A scheme and its host stay together. */
const PARTS = /(?:^https?:\/\/)?[^/?&-]*[/?&-]+|[^/?&-]+/g;

/** A URL, or a part of one, that breaks only after / ? & and -. */
export function AddressText({ text }: { text: string }) {
  return (
    <span class="url">
      {(text.match(PARTS) ?? []).map((part, index) => (
        <>
          {index > 0 && <wbr />}
          {part.length > LONGEST_UNBROKEN ? <span>{part}</span> : part}
        </>
      ))}
    </span>
  );
}
