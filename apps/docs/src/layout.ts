import { escapeHtml } from '@millwright/pages';
import { addressOf, summaryOf, type Page, type Section } from './page.js';

/** Addresses of the files that each page loads; their names contain a hash of the content. */
export interface Assets {
  style: string;
  script: string;
  search: string;
}

interface Layout {
  page: Page;
  html: string;
  sections: readonly Section[];
  assets: Assets;
}

/** Renders a page as HTML. The page works without scripts, except for the search. */
export function pageHtml({ page, html, sections, assets }: Layout): string {
  const title = page.address === '' ? 'Millwright documentation' : `${page.title} · Millwright`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(summaryOf(page).slice(0, 160))}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.style}">
<link rel="alternate" type="text/markdown" href="${markdownAddress(page)}">
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="brand" href="/docs">Millwright <span>docs</span></a>
<search data-index="${assets.search}" hidden>
<input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" maxlength="100">
<ol aria-label="Results" aria-live="polite"></ol>
</search>
<a href="/admin">Console</a>
<a class="menu" href="#pages">Pages</a>
</header>
<div class="columns">
<main id="main">
<h1>${escapeHtml(page.title)}</h1>
${html}
<footer><a href="${markdownAddress(page)}">This page as Markdown</a></footer>
</main>
<nav id="pages" aria-label="Pages">
${sections.map((section) => sectionHtml(section, page)).join('\n')}
</nav>
</div>
</body>
</html>
`;
}

export const markdownAddress = (page: Page): string =>
  page.address === '' ? '/docs/index.md' : `${addressOf(page)}.md`;

function sectionHtml({ title, pages, isFolded }: Section, current: Page): string {
  const isHere = pages.includes(current);
  const shown = isFolded && !isHere ? pages.slice(0, 1) : pages;
  const links = shown.map((page) => {
    const mark = page === current ? ' aria-current="page"' : '';
    return `<li><a href="${addressOf(page)}"${mark}>${escapeHtml(page.title)}</a></li>`;
  });
  // A folded section is one link, which needs no heading above it.
  const heading = isFolded && !isHere ? '' : `<h2>${escapeHtml(title)}</h2>`;
  return `${heading}<ul>${links.join('')}</ul>`;
}
