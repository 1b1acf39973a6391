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
  a { color: var(--accent); } h2 { margin: 1.75rem 0 .25rem; font-size: 1.1rem; } nav { display: flex; flex-wrap: wrap; gap: .35rem 1rem; margin-bottom: 1rem; }
  form { margin: .75rem 0; } form.row { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end; }
  label { display: block; margin: .5rem 0; } input, select { display: block; width: 100%; padding: .5rem .6rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 8px; }
  button, .button { display: inline-block; padding: .5rem .9rem; font: inherit; color: #fff; background: #0b62d6; border: 0; border-radius: 8px; cursor: pointer; text-decoration: none; }
  button.plain { color: var(--accent); background: none; border: 1px solid var(--line); } button:disabled { opacity: .6; cursor: default; }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; } .error { color: #c22626; } [hidden] { display: none; }
  .scroll { overflow-x: auto; } table { width: 100%; border-collapse: collapse; font-size: .925rem; } th, td { padding: .45rem .6rem .45rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
  .spinner { display: inline-block; width: 1rem; height: 1rem; margin-right: .5rem; vertical-align: -.15rem; border: 2px solid var(--line); border-top-color: var(--accent); border-radius: 50%; animation: turn 1s linear infinite; }
  @keyframes turn { to { transform: rotate(1turn); } } @media (prefers-reduced-motion: reduce) { .spinner { animation: none; } }
  @media (prefers-color-scheme: dark) { .error { color: #ff8d8d; } }`;

/** Only our own script files run, nothing loads from elsewhere, nobody frames it. The one style sheet is named by its hash. */
const policy = (formAction: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "script-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action 'self'${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');

export interface PageOptions {
  /** A script of `src/browser`, by its name. */
  script?: 'login' | 'authorize' | 'enrol' | 'forms' | 'consent';
  /** Where a form of the page may lead, besides here. */
  formAction?: string | undefined;
}

/** Sends a page. `content` is HTML whose texts are escaped already. */
export function sendPage(
  response: Response,
  status: number,
  title: string,
  content: string,
  options: PageOptions = {},
): void {
  const { script, formAction } = options;
  response.status(status).set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy(formAction === undefined ? '' : ` ${formAction}`),
    // With no referrer at all, forms would send `Origin: null`.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  });
  response.send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Millwright</title><style>${STYLE}</style>${script ? `<script src="/admin/assets/${script}.js" defer></script>` : ''}</head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${content}
</main></body>
</html>
`);
}
