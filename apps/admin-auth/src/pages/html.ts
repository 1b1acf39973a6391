import { createHash } from 'node:crypto';
import type { Response } from 'express';

/** A text as it may stand in HTML, in attributes too. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const STYLE = `
  :root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d9dee5; --ground: #f6f7f9; --card: #fff; --accent: #0b62d6; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e8ecf2; --soft: #9aa6b5; --line: #313a46; --ground: #12161c; --card: #1a2029; --accent: #74b0ff; } }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--ground); color: var(--ink);
    font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
  main { width: 100%; max-width: 34rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
  h1 { margin: 0 0 .25rem; font-size: 1.4rem; } p { margin: .75rem 0; } .soft { color: var(--soft); }
  dl { display: grid; grid-template-columns: auto 1fr; gap: .35rem 1rem; margin: 1rem 0; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
  pre { margin: .75rem 0; padding: .75rem 1rem; overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: 8px; font-size: .875rem; }
  a { color: var(--accent); }`;

/** Nothing runs, nothing loads from elsewhere, nobody frames it. The one style sheet is named by its hash. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends a page. `content` is HTML whose texts are escaped already. */
export function sendPage(response: Response, status: number, title: string, content: string): void {
  response.status(status).set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  response.send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Millwright</title><style>${STYLE}</style></head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${content}
</main></body>
</html>
`);
}
