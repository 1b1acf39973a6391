import { readFileSync } from 'node:fs';
import { catalogue, renderers, AppError, type ErrorCode } from './index.js';

const docs = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');

/**
 * Columns of a row: | `code` | status of admin-auth and platform | status of runtime | code of runtime | status of
 * prompt | text | …
 */
const rows = [...docs.matchAll(/^\| `(\w+)` \| (\d{3}) \| (\d{3}) `(\w+)` \| (\d{3}) \| (.+?) \|/gm)].map(
  ([, code, platform, runtime, runtimeCode, prompt, text]) => ({ code, platform, runtime, runtimeCode, prompt, text }),
);

describe('docs/errors.md', () => {
  it('has one row for each error of the catalogue, in its order, and no other rows', () => {
    expect(rows.map(({ code }) => code)).toEqual(Object.keys(catalogue));
  });

  it.each(rows)('states for $code the statuses, the code and the text that are sent', ({ code, ...shown }) => {
    const error = new AppError(code as ErrorCode);
    const runtime = renderers.runtime(error);
    expect(shown).toEqual({
      platform: String(renderers.platform(error).status),
      runtime: String(runtime.status),
      runtimeCode: (runtime.body as { error: { code: string } }).error.code,
      prompt: String(renderers.prompt(error).status),
      text: error.message,
    });
  });
});
