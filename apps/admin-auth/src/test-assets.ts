import type { Assets } from './pages/assets.js';

/** For tests of who gets a page, not of what it draws. */
export const NO_ASSETS: Assets = {
  scripts: new Map(),
  console: {
    index: '<!doctype html><html data-mantine-color-scheme="__COLOR_SCHEME__"><meta nonce="__CSP_NONCE__"></html>',
    files: new Map(),
  },
};
