export type Parameter = string | number | boolean | Date | Uint8Array | null;

export type Value = Parameter | Fragment;

export class Fragment {
  readonly strings: readonly string[];
  readonly values: readonly Value[];

  constructor(strings: readonly string[], values: readonly Value[]) {
    this.strings = strings;
    this.values = values;
  }
}

export function fragment(strings: TemplateStringsArray, ...values: readonly Value[]): Fragment {
  return new Fragment(strings, values);
}

export function writeQuery({ strings, values }: Fragment, parameters: Parameter[]): string {
  let text = strings[0] ?? "";
  for (const [index, value] of values.entries()) {
    text +=
      value instanceof Fragment ? writeQuery(value, parameters) : `$${parameters.push(value)}`;
    text += strings[index + 1] ?? "";
  }
  return text;
}

export const milliseconds = (ms: number): Fragment =>
  fragment`make_interval(secs => ${ms}::float8 / 1000)`;
