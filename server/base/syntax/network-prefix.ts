/** The first 48 bits of an IPv6 address, or 24 of an IPv4 address (as `findVisitor` spells them), which one organization may have to itself. */
export function networkOf(address: string): string {
  const [prefix = ""] = address.split("::", 1);
  return address.includes(":")
    ? prefix
        .split(":")
        .slice(0, 3)
        .join(":")
        .replace(/(?<!:0)(?::0)+$/, "")
    : address.replace(/\.\d+$/, "");
}
