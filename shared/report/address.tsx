/** A part that may fill a line of a narrow page breaks anywhere. */
const LONGEST_UNBROKEN = 24;
/** What a line may end with: the scheme and the name of a host stand together. */
const PARTS = /(?:^https?:\/\/)?[^/?&-]*[/?&-]+|[^/?&-]+/g;

/** An address, or a part of one, which breaks only after / ? & and -. */
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
