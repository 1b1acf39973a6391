import type { Response } from 'express';

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

export interface ConnectionPage {
  status: 200 | 400 | 403 | 404 | 502;
  title: string;
  text: readonly string[];
}

/** What a person sees at the end of the way to a connection. Nothing of it was said by an upstream. */
export function sendConnectionPage(response: Response, { status, title, text }: ConnectionPage): void {
  response.status(status).set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  });
  response.send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} · Millwright</title></head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${text.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
</main></body>
</html>
`);
}

/** Ends a step with a page. */
export class EndsWithPage extends Error {
  override readonly name = 'EndsWithPage';

  constructor(
    readonly page: ConnectionPage,
    options: { cause?: unknown } = {},
  ) {
    super(page.title, options);
  }
}

export const NO_SERVER: ConnectionPage = {
  status: 404,
  title: 'There is nothing to connect to',
  text: ['No MCP server of yours with this address asks for an account of your own.'],
};

export const NOT_BEGUN_HERE: ConnectionPage = {
  status: 400,
  title: 'This cannot go on',
  text: [
    'This connection was not begun in this browser, was finished before, or took more than fifteen minutes.',
    'Open the address that you were given once more. Nothing was connected.',
  ],
};

export const DENIED: ConnectionPage = {
  status: 403,
  title: 'Nothing was connected',
  text: ['The connection was refused. Open the address that you were given once more if that was a mistake.'],
};

export const NOT_BELIEVED: ConnectionPage = {
  status: 400,
  title: 'Nothing was connected',
  text: [
    'The answer did not come from the authorization server that you were sent to, so it was not used.',
    'Tell whoever registered the MCP server.',
  ],
};

export const cannotConnect = (reason: string): ConnectionPage => ({
  status: 502,
  title: 'Nothing was connected',
  text: [reason, 'Try again later, or tell whoever registered the MCP server.'],
});

export const connected = (name: string): ConnectionPage => ({
  status: 200,
  title: 'Connected',
  text: [
    // Isolated: its letters must not turn the others around.
    `Your account at \u2068${name}\u2069 is connected. Agents and programs that act for you here may use it from now on.`,
    'You can close this page and try again what needed it.',
  ],
});
