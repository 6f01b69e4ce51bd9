/** What a rule rests on, and where it is to be read. */
export interface Standard {
  readonly name: string;
  readonly url: string;
}

/** A section of an RFC, or all of it. */
export function rfc(number: number, section?: string): Standard {
  const url = `https://www.rfc-editor.org/rfc/rfc${number}`;
  if (section === undefined) return { name: `RFC ${number}`, url };
  return { name: `RFC ${number}, ${section}`, url: `${url}#section-${section}` };
}

/** A success criterion of WCAG, by its number and its anchor. */
export function wcag(criterion: string, anchor: string): Standard {
  return { name: `WCAG 2.2, ${criterion}`, url: `https://www.w3.org/TR/WCAG22/#${anchor}` };
}

/** A part of HTML, by its name, since its sections change their numbers. */
export function htmlPart(name: string, page: string, anchor: string): Standard {
  return {
    name: `HTML, ${name}`,
    url: `https://html.spec.whatwg.org/multipage/${page}.html#${anchor}`,
  };
}
