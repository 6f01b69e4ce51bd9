/** A longer part breaks anywhere, because it may not fit a line of a narrow page. */
const LONGEST_UNBROKEN = 24;
/** A line may break after each part. A scheme and its host stay together. */
const PARTS = /(?:^https?:\/\/)?[^/?&-]*[/?&-]+|[^/?&-]+/g;

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
