/** HTML whose texts are escaped. */
export interface Markup {
  readonly text: string;
}

/** HTML that is known to be sound. */
export const raw = (text: string): Markup => ({ text });

/** HTML of a template: what is put in is escaped unless it is markup itself. */
export function markup(parts: TemplateStringsArray, ...values: (string | number | Markup)[]): Markup {
  const texts = values.map((value) => (typeof value === 'object' ? value.text : escape(`${value}`)));
  return raw(String.raw({ raw: parts }, ...texts));
}

export const join = (items: readonly Markup[], between = ''): Markup =>
  raw(items.map(({ text }) => text).join(between));

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
