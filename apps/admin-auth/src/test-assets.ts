import type { Page } from '@millwright/pages';
import type { ConsoleFiles } from './pages/console-files.js';
import type { DocsFiles } from './pages/docs-files.js';

/** Files for tests that check who may open a page, and not what the page contains. */
export const NO_ASSETS: ConsoleFiles = {
  index: '<!doctype html><html data-mantine-color-scheme="__COLOR_SCHEME__"><meta nonce="__CSP_NONCE__"></html>',
  signIn:
    '<!doctype html><html data-mantine-color-scheme="__COLOR_SCHEME__"><title>__TITLE__ · Millwright</title><p>__TEXT__</p><script type="application/json">__PAGE__</script></html>',
  files: new Map(),
};

/** Documentation files for tests that need no documentation. */
export const NO_DOCS: DocsFiles = { folder: '/', paths: new Set() };

/** Returns the name and the data of the page in an HTML answer. */
export function pageIn(html: string): Page {
  return JSON.parse(/<script[^>]* type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? 'null') as Page;
}
