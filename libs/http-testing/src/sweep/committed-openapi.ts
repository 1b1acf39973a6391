import { readFileSync, writeFileSync } from 'node:fs';
import { writesOpenApi } from './config.js';

const root = new URL('../../../../', import.meta.url);

/**
 * The servers that the committed documents name: the addresses of a local installation, which are the same on every
 * machine.
 */
export const DOCUMENTED_URLS = {
  admin: 'http://localhost:8080',
  platform: 'http://localhost:8080',
  runtime: 'http://localhost:8081',
  prompt: 'http://localhost:8082',
} as const;

/**
 * Returns the text of docs/openapi/<area>.json, and the text that the file should have: the document that the service returns, with the
 * version of the workspace. `npm run openapi` replaces the first text with the second.
 */
export function committedOpenApi(
  area: keyof typeof DOCUMENTED_URLS,
  served: object,
): { committed: string; expected: string } {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  const { info } = served as { info: object };
  const expected = `${JSON.stringify({ ...served, info: { ...info, version } }, null, 2)}\n`;
  const file = new URL(`docs/openapi/${area}.json`, root);
  if (writesOpenApi()) writeFileSync(file, expected);
  return { committed: readFileSync(file, 'utf8'), expected };
}
