import { escapeHtml } from '@millwright/pages';
import type { Response } from 'express';

export interface PlainPage {
  status: number;
  title: string;
  paragraphs: readonly string[];
}

/** Answers a browser with a page of text, without scripts, styles or links. */
export function sendPlainPage(response: Response, { status, title, paragraphs }: PlainPage): void {
  response.status(status).set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  });
  response.send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} · Millwright</title></head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
</main></body>
</html>
`);
}
