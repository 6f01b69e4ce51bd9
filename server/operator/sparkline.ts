const LEVELS = "▁▂▃▄▅▆▇█";
const NOTHING = "·";

/** Values as a row of bars, from `bottom` to `top`: only the top is a full bar, and null is a dot. */
export function drawSparkline(
  values: readonly (number | null)[],
  { bottom, top }: { bottom: number; top: number },
): string {
  const levelOf = (value: number) => {
    const share = Math.min(1, Math.max(0, (value - bottom) / (top - bottom)));
    return LEVELS.charAt(Math.floor(share * (LEVELS.length - 1)));
  };
  return values.map((value) => (value === null ? NOTHING : levelOf(value))).join("");
}
