import { escapeHtml } from '@millwright/pages';

/** HTML in which all inserted texts are escaped. */
export interface Markup {
  readonly text: string;
}

/** Marks HTML that needs no escaping. */
export const raw = (text: string): Markup => ({ text });

/** Makes HTML from a template. An inserted text is escaped unless it is markup. */
export function markup(parts: TemplateStringsArray, ...values: (string | number | Markup)[]): Markup {
  const texts = values.map((value) => (typeof value === 'object' ? value.text : escapeHtml(`${value}`)));
  return raw(String.raw({ raw: parts }, ...texts));
}

export const join = (items: readonly Markup[], between = ''): Markup =>
  raw(items.map(({ text }) => text).join(between));
