import { AppError, catalogue, renderers, type Area, type ErrorCode } from '@millwright/errors';
import type { Page } from './page.js';

const SERVICES: Readonly<Record<Area, string>> = {
  admin: 'console',
  platform: 'platform API',
  runtime: 'runtime API',
  prompt: 'prompt API',
};

/** Reads the table in `docs/errors.md`. @returns for each error code, what the user should do about the error */
function remedies(markdown: string): Map<string, string> {
  const rows = markdown.split('\n').flatMap((line) => {
    const cells = line.split(' | ');
    const code = /^\| `(\w+)`/.exec(line)?.[1];
    return code === undefined ? [] : [[code, (cells.at(-1) ?? '').replace(/ \|$/, '')] as const];
  });
  return new Map(rows);
}

/** Makes a page for each code of the catalogue: its meaning, the remedy, and the answer of each service. */
export function errorPages(markdown: string): Page[] {
  const todo = remedies(markdown);
  return (Object.keys(catalogue) as ErrorCode[]).map((code) => {
    const answers = (Object.keys(SERVICES) as Area[]).map((area) => {
      const { status, body } = renderers[area](new AppError(code));
      return `### ${SERVICES[area]}: ${status}\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``;
    });
    return {
      address: `errors/${code}`,
      title: code,
      source: 'errors.md',
      markdown: [
        catalogue[code].message.replace(/([^.])$/, '$1.'),
        '## What to do',
        todo.get(code) ?? '',
        '## Answers',
        ...answers,
        'All codes: [Errors](/docs/errors)',
      ].join('\n\n'),
    };
  });
}
