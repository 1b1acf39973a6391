import type { RequestHandler } from 'express';
import type { Config } from '../config.js';
import { escapeHtml, sendPage } from './html.js';
import { navigationFor, signedIn } from './navigation.js';

/** `GET /admin/setup`: what programs of the signed-in user need to reach the platform. */
export function setupPage(config: Pick<Config, 'BASE_URL' | 'RUNTIME_URL' | 'PROMPT_API_URL'>): RequestHandler {
  return signedIn((context, _request, response) => {
    const { email } = context.principal.user;
    sendPage(
      response,
      200,
      'Set up',
      `
<p class="soft">Where your programs reach the platform, and how an operator gives them a key.</p>
<dl>
<dt>Platform API</dt><dd>${escapeHtml(config.BASE_URL)}/api/v1</dd>
<dt>Runtime API</dt><dd>${escapeHtml(config.RUNTIME_URL)}</dd>
<dt>Prompt API</dt><dd>${escapeHtml(config.PROMPT_API_URL)}/v1</dd>
</dl>
<h2>An API key</h2><pre>millwright keys create --user ${escapeHtml(email)} --name "My key"</pre>
<h2>An OAuth client for the runtime API</h2><pre>millwright clients create --user ${escapeHtml(email)} --name "My app" --redirect-uri https://app.example.com/callback</pre>`,
      {
        navigation: navigationFor(context),
      },
    );
  });
}
