import type { Response } from 'express';

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** What a person sees when the browser cannot be sent on. */
export function sendErrorPage(response: Response, text: string): void {
  response.status(400).set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  });
  response.send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>This cannot go on · Millwright</title></head>
<body><main>
<h1>This cannot go on</h1>
<p>${escapeHtml(text)}</p>
<p>Go back to the application and begin again there. If it happens again, its developer has to look at it: nothing was shared with it.</p>
</main></body>
</html>
`);
}
