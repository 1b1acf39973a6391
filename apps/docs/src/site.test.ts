import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogue } from '@millwright/errors';
import MiniSearch from 'minisearch';
import { CONTENTS } from './contents.js';
import { renderMarkdown } from './markdown.js';
import { SEARCH_OPTIONS, type SearchEntry } from './search-entry.js';
import { searchFile, sectionsOf, siteFiles, targetOf } from './site.js';

const docs = fileURLToPath(new URL('../../../docs', import.meta.url));
const sections = sectionsOf(docs);
const assets = { style: '/docs/assets/a.css', script: '/docs/assets/a.js', search: '/docs/assets/a.json' };
const files = siteFiles(sections, assets);
const pages = [...files].filter(([path]) => path.endsWith('.html'));

/** Returns the file for an address of the site. */
const fileOf = (address: string) => {
  const path = address.replace(/^\/docs\/?/, '');
  return path === '' ? 'index.html' : files.has(path) ? path : `${path}.html`;
};
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const linksOf = (html: string) => [...html.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);

describe('the documentation', () => {
  it('has every guide, and a title on every page', () => {
    const listed = CONTENTS.flatMap((section) => section.files);
    const guides = readdirSync(join(docs, 'guides')).map((name) => `guides/${name}`);
    expect(guides.filter((guide) => !listed.includes(guide))).toEqual([]);
    const untitled = sections.flatMap((section) => section.pages).filter(({ title }) => title === '');
    expect(untitled).toEqual([]);
  });

  it('has a page for each error of the catalogue, with what to do about it', () => {
    for (const code of Object.keys(catalogue))
      expect(files.get(`errors/${code}.md`)).toMatch(/\n## What to do\n\n[A-Z]/);
  });

  it('describes each operation of the four OpenAPI documents exactly once', () => {
    for (const name of ['admin', 'platform', 'runtime', 'prompt']) {
      const list = files.get(`reference/${name}.md`) ?? '';
      expect(list.match(/\| `[A-Z]+ \/[^`]*` \|/g)?.length).toBeGreaterThan(20);
      const texts = [...files].filter(([path]) => path.startsWith(`reference/${name}/`) && path.endsWith('.md'));
      const operations = texts.flatMap(([, text]) => text.match(/^`[A-Z]+ \/[^`]*`$/gm) ?? []);
      expect(operations).toHaveLength(list.match(/\| `[A-Z]+ \/[^`]*` \|/g)?.length ?? 0);
      expect(new Set(operations).size).toBe(operations.length);
    }
  });

  it('links only to pages and headings that exist', () => {
    const broken = pages.flatMap(([path, html]) =>
      linksOf(html)
        .filter((href) => href.startsWith('#') || (href.startsWith('/docs') && !href.startsWith('/docs/assets/')))
        .filter((href) => {
          const [address = '', anchor] = href.split('#');
          const target = address === '' ? html : files.get(fileOf(address));
          return target === undefined || (anchor !== undefined && !idsOf(target).includes(anchor));
        })
        .map((href) => `${path}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  it('uses each id only once on a page', () => {
    const repeated = pages.filter(([, html]) => new Set(idsOf(html)).size !== idsOf(html).length);
    expect(repeated.map(([path]) => path)).toEqual([]);
  });

  it('has no inline script or style, and loads nothing from another origin', () => {
    for (const [path, html] of pages) {
      const loaded = [...html.matchAll(/<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)="([^"]+)"/g)];
      const foreign = loaded.map(([, url = '']) => url).filter((url) => !/^(\/docs|data:,$)/.test(url));
      const inline = html.match(/<style|\sstyle=|\son\w+=|<script(?![^>]* src=)|javascript:/gi) ?? [];
      expect({ path, foreign, inline }).toEqual({ path, foreign: [], inline: [] });
    }
  });

  it('lists each page except error pages in llms.txt', () => {
    const text = files.get('llms.txt') ?? '';
    const missing = [...files.keys()].filter(
      (path) => path.endsWith('.md') && !path.startsWith('errors/') && !text.includes(`(/docs/${path})`),
    );
    expect(missing).toEqual([]);
    expect(text).not.toMatch(/\): \n/);
  });
});

describe('the search', () => {
  const index = MiniSearch.loadJSON<SearchEntry>(searchFile(sections), SEARCH_OPTIONS);
  it.each([
    ['budget exceeded', '/docs/errors/budget_exceeded'],
    ['quickstart', '/docs/quickstart'],
    ['create a skill', '/docs/reference/platform/skills#create-a-skill'],
    ['claude code', '/docs/connect#claude-code'],
    ['aprovals', '/docs/approvals-and-budgets'],
  ])('has the expected page among the first five results for %j', (words, address) => {
    const found = index.search(words).slice(0, 5);
    expect(found.map(({ id }) => String(id))).toContain(address);
  });

  it('has only results whose address is an existing page and heading', () => {
    const entries = JSON.parse(searchFile(sections)) as { documentIds: Record<string, string> };
    const broken = Object.values(entries.documentIds).filter((id) => {
      const [address = '', anchor] = id.split('#');
      const html = files.get(fileOf(address)) ?? '';
      return html === '' || (anchor !== undefined && !idsOf(html).includes(anchor));
    });
    expect(broken).toEqual([]);
  });
});

describe('Markdown', () => {
  const render = (text: string) => renderMarkdown(text, (href) => (href === 'gone.md' ? undefined : href));

  it('shows HTML as text', () => {
    expect(render('<script>alert(1)</script> and <b onclick="x()">b</b>')).not.toMatch(/<script|<b /);
  });

  it('keeps the text of a link whose target does not exist', () => {
    expect(render('[words](gone.md)')).toBe('<p>words</p>\n');
  });

  it('replaces a link to a file in docs by a link to its page, and returns no target for a file outside docs', () => {
    const page = { address: 'quickstart', title: '', markdown: '', source: 'guides/quickstart.md' };
    const sources = new Map([['budgets.md', '/docs/budgets']]);
    expect(targetOf('../budgets.md#prices', page, sources)).toBe('/docs/budgets#prices');
    expect(targetOf('../../libs/models/README.md', page, sources)).toBeUndefined();
  });
});
