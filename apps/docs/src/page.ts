/** A page of the site before it is rendered to HTML. */
export interface Page {
  /** Address of the page below `/docs/`, without an ending; empty for the first page. */
  address: string;
  title: string;
  /** Text of the page, without the title. Links are relative to `source`, or begin with `/docs`. */
  markdown: string;
  /** Path of the file in `docs/` from which the page is made. Undefined for other pages. */
  source?: string;
}

/** A part of the navigation. */
export interface Section {
  title: string;
  pages: Page[];
  /** Whether a page of another section shows only a link to the first page of this section in its navigation. */
  isFolded?: boolean;
}

export const addressOf = (page: Pick<Page, 'address'>): string =>
  page.address === '' ? '/docs' : `/docs/${page.address}`;

/** Returns the first paragraph of a page, without Markdown. */
export function summaryOf({ markdown }: Pick<Page, 'markdown'>): string {
  const paragraphs = markdown
    .replaceAll(/```[^]*?```/g, '')
    .trim()
    .split(/\n{2,}/);
  return plainText(paragraphs.find((part) => /^[A-Za-z`[*{]/.test(part)) ?? '');
}

/** Returns the text of Markdown without its markup. A link becomes the text of the link. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|^[#>]+ |^ ?:?-{3,}:? ?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns the anchor of a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  plainText(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
