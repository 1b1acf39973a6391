import type { Database } from '@millwright/db';
import type { RequestHandler } from 'express';
import type { Config } from '../config.js';
import { escapeHtml, sendPage } from './html.js';
import { navigationFor, signedIn } from './navigation.js';

type Addresses = Pick<Config, 'BASE_URL' | 'RUNTIME_URL' | 'PROMPT_API_URL' | 'SECURITY_ALLOW_REGISTRATION'>;

interface Counts {
  users: number;
  skills: number;
  agents: number;
  prompts: number;
}

const COUNTS = `
  SELECT (SELECT count(*)::int FROM users WHERE status = 'active') AS users, (SELECT count(*)::int FROM skills) AS skills,
         (SELECT count(*)::int FROM agents) AS agents, (SELECT count(*)::int FROM prompts) AS prompts`;

/** `GET /admin` */
export function dashboardPage(db: Database, config: Addresses): RequestHandler {
  return signedIn(async (context, _request, response) => {
    const { user, project } = context.principal;
    const [counts] = await db.prepared<Counts>('dashboard-counts', COUNTS, []);
    const terms = Object.entries(counts ?? {}).map(
      ([name, count]) => `<dt>${name[0]?.toUpperCase()}${name.slice(1)}</dt><dd>${count}</dd>`,
    );
    const warning = config.SECURITY_ALLOW_REGISTRATION
      ? '<p class="error">Registration is open: anyone who reaches this page may make an account, administrators included. Set SECURITY_ALLOW_REGISTRATION=false to close it.</p>'
      : '';
    const content = `
<p>Signed in as <strong>${escapeHtml(user.name)}</strong> (${escapeHtml(user.email)}), project ${project}.</p>${warning}
<h2>Records</h2><dl>${terms.join('')}</dl>
<h2>Addresses</h2>
<dl>
<dt>Platform API</dt><dd>${escapeHtml(config.BASE_URL)}/api/v1</dd>
<dt>Runtime API</dt><dd>${escapeHtml(config.RUNTIME_URL)}</dd>
<dt>Prompt API</dt><dd>${escapeHtml(config.PROMPT_API_URL)}/v1</dd>
</dl>
<form data-api="/admin/api/sign-out" data-then="/admin/login"><button class="plain">Sign out</button><p class="error" role="alert" hidden></p></form>`;
    sendPage(response, 200, 'Dashboard', content, { script: 'forms', wide: true, navigation: navigationFor(context) });
  });
}
