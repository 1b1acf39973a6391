import type { RequestHandler } from 'express';
import type { Config } from '../config.js';
import { escapeHtml, sendPage } from './html.js';

type Addresses = Pick<Config, 'BASE_URL' | 'RUNTIME_URL' | 'PROMPT_API_URL'>;

/** `GET /admin/login`: what this installation is, and how to get in. */
export function loginPage({ BASE_URL, RUNTIME_URL, PROMPT_API_URL }: Addresses): RequestHandler {
  const content = `
<p class="soft">Millwright builds AI workers and runs them.</p>
<p>This installation has no browser sign-in: its operators use the command line, its programs use API keys and OAuth clients.</p>
<dl>
<dt>Platform API</dt><dd>${escapeHtml(BASE_URL)}/api/v1</dd>
<dt>Runtime API</dt><dd>${escapeHtml(RUNTIME_URL)}</dd>
<dt>Prompt API</dt><dd>${escapeHtml(PROMPT_API_URL)}/v1</dd>
</dl>
<p>An operator issues an API key with</p>
<pre>millwright keys create --user you@example.com --name "My key"</pre>
<p>and an OAuth client for the runtime API with</p>
<pre>millwright clients create --user you@example.com --name "My app" --redirect-uri https://app.example.com/callback</pre>`;
  return (_request, response) => sendPage(response, 200, 'Sign in', content);
}
