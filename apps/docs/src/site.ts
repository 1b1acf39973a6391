import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { addressOfFile, CONTENTS } from './contents.js';
import { errorPages } from './error-pages.js';
import { markdownAddress, pageHtml, type Assets } from './layout.js';
import { renderMarkdown } from './markdown.js';
import { addressOf, summaryOf, type Page, type Section } from './page.js';
import { referenceSection } from './reference-pages.js';
import { searchIndex } from './search-index.js';

const SERVICES = [
  { name: 'platform', title: 'Platform API', address: '$BASE' },
  { name: 'runtime', title: 'Runtime API', address: '$RUNTIME' },
  { name: 'prompt', title: 'Prompt API', address: '$PROMPTS' },
  { name: 'admin', title: 'Console API', address: '$BASE' },
];

/** Makes the pages from the folder `docs`, the catalogue of errors and the OpenAPI documents, by section. */
export function sectionsOf(docs: string): Section[] {
  const read = (file: string) => readFileSync(join(docs, file), 'utf8');
  const filePage = (file: string): Page => {
    const [, title = '', markdown = ''] = /^# (.+)\n([^]*)$/.exec(read(file)) ?? [];
    return { address: addressOfFile(file), title, markdown, source: file };
  };
  const errors = filePage('errors.md');
  return [
    ...CONTENTS.map(({ title, files }) => ({ title, pages: files.map(filePage) })),
    ...SERVICES.map((service) =>
      referenceSection({ ...service, openApi: JSON.parse(read(`openapi/${service.name}.json`)) as object }),
    ),
    { title: 'Errors', pages: [errors, ...errorPages(errors.markdown)], isFolded: true },
  ];
}

/**
 * Returns the address of a link on a page; `undefined` when the site has no page for it, for example for a source file.
 * @param sources addresses of the pages by their files in `docs/`
 */
export function targetOf(href: string, page: Page, sources: ReadonlyMap<string, string>): string | undefined {
  if (/^(https?:|#|\/docs\b)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const address = sources.get(normalize(join(dirname(page.source ?? ''), path)));
  return address === undefined ? undefined : anchor === undefined ? address : `${address}#${anchor}`;
}

/** Makes the search index, a file that the pages load by name. */
export const searchFile = (sections: readonly Section[]): string => searchIndex(sections.flatMap(({ pages }) => pages));

/** Makes every file of the site except the assets, by its path below `/docs/`. */
export function siteFiles(sections: readonly Section[], assets: Assets): Map<string, string> {
  const pages = sections.flatMap((section) => section.pages);
  const sources = new Map(
    pages.flatMap((page) =>
      page.source === undefined || page.address.startsWith('errors/') ? [] : [[page.source, addressOf(page)] as const],
    ),
  );
  const files = new Map<string, string>();
  for (const page of pages) {
    const linkOf = (href: string) => targetOf(href, page, sources);
    const html = renderMarkdown(page.markdown, linkOf);
    const name = page.address === '' ? 'index' : page.address;
    files.set(`${name}.html`, pageHtml({ page, html, sections, assets }));
    files.set(`${name}.md`, `# ${page.title}\n\n${withLinks(page.markdown, linkOf).trim()}\n`);
  }
  files.set('llms.txt', llmsText(sections));
  return files;
}

/**
 * Changes the links in a page's Markdown so that they lead to the Markdown of other pages. A link that leads to no page becomes the link's
 * text.
 */
const withLinks = (markdown: string, linkOf: (href: string) => string | undefined): string =>
  markdown.replaceAll(/(?<!`)\[([^\]\n]+)\]\(([^)\s]+)\)/g, (_whole, words: string, href: string) => {
    const target = linkOf(href);
    if (target === undefined) return words;
    return `[${words}](${target.replace(/^(\/docs\/[^#.]+)(#|$)/, '$1.md$2')})`;
  });

/** Makes the list of pages for language models (llmstxt.org). */
function llmsText(sections: readonly Section[]): string {
  const lists = sections.map(({ title, pages, isFolded }) => {
    const shown = isFolded && title === 'Errors' ? pages.slice(0, 1) : pages;
    const lines = shown.map((page) => `- [${page.title}](${markdownAddress(page)}): ${summaryOf(page).slice(0, 200)}`);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `# Millwright\n\n> An open platform for AI workers: agents, prompts, tools and models behind four APIs, with runs, approvals, budgets and an audit log.\n\n${lists.join('\n\n')}\n`;
}
