import { createHash } from 'node:crypto';
import { escapeHtml } from '@millwright/pages';
import type { Response } from 'express';

export interface PlainPage {
  status: number;
  title: string;
  paragraphs: readonly string[];
}

/** The style of the console's pages without navigation. */
const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(#f6f8f9, #101317); color: light-dark(#1c2127, #e9ecef); font: 16px/1.55 system-ui, sans-serif; }
main { box-sizing: border-box; max-width: 440px; margin: 12vh auto 0; padding: 28px; border: 1px solid light-dark(#e3e7eb, #262c33); border-radius: 12px; background: light-dark(#fff, #161a1f); }
h1 { margin: 0 0 12px; font-size: 22px; line-height: 1.3; overflow-wrap: anywhere; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
p:last-child { margin: 0; }
@media (max-width: 30em) { main { margin: 16px; } }
`;
/** The policy allows exactly this style element. */
const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** Answers a browser with a page of text, without scripts or links. */
export function sendPlainPage(response: Response, { status, title, paragraphs }: PlainPage): void {
  response.status(status).set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_HASH}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  });
  response.send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} · Millwright</title><style>${STYLE}</style></head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
</main></body>
</html>
`);
}
