import { encodeQR } from "qr";

const SIZE_PX = 220;
/** The quiet zone that a reader needs around it. */
const BORDER = 4;

const drawRow = (row: readonly boolean[], y: number) =>
  row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join("");

/** A text as a QR code, dark on light whatever the scheme, since some readers take no other. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, "raw", { ecc: "low", border: BORDER });
  const size = rows.length;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={SIZE_PX}
      height={SIZE_PX}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path fill="#000" d={rows.map(drawRow).join("")} />
    </svg>
  );
}
