import { encodeId } from '@millwright/db';
import type { RequestHandler } from 'express';
import { escapeHtml, sendPage } from '../pages/html.js';
import { navigationFor, signedIn } from '../pages/navigation.js';
import type { PasskeyStore } from '../passkeys/passkeys.store.js';
import type { SessionStore } from '../sessions/sessions.store.js';

const when = (time: Date | null) => (time ? `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'never');
const cells = (texts: readonly string[]) => texts.map((text) => `<td>${escapeHtml(text)}</td>`).join('');

/** `GET /admin/profile`: account, passkeys, sessions. */
export function profilePage(passkeys: PasskeyStore, sessions: SessionStore): RequestHandler {
  return signedIn(async (context, _request, response) => {
    const { user, roles, project } = context.principal;
    const [keys, live] = await Promise.all([passkeys.list(user.id), sessions.list(user.id)]);
    const keyRows = keys.map((key) => `<tr>${cells([key.name, when(key.created_at), when(key.last_used_at)])}</tr>`);
    const sessionRows = live.map((session) => {
      const end =
        session.id === context.sessionId
          ? '<strong>this one</strong>'
          : `<form data-api="/admin/api/sessions/${encodeId('ses', session.id)}" data-method="DELETE"><button class="plain">End</button><p class="error" role="alert" hidden></p></form>`;
      const method = session.method === 'passkey' ? 'Passkey' : 'Recovery link';
      return `<tr>${cells([session.user_agent || 'unknown', session.ip, method, when(session.last_seen_at)])}<td>${end}</td></tr>`;
    });
    const content = `
<dl>
<dt>Name</dt><dd>${escapeHtml(user.name)}</dd><dt>Email</dt><dd>${escapeHtml(user.email)}</dd>
<dt>Roles</dt><dd>${roles.join(', ')}</dd><dt>Project</dt><dd>${project}</dd>
</dl>
<h2>Passkeys</h2>
<div class="scroll"><table><thead><tr><th>Name</th><th>Added</th><th>Last used</th></tr></thead><tbody>${keyRows.join('') || '<tr><td colspan="3">None yet.</td></tr>'}</tbody></table></div>
<p>${context.fresh ? '<a href="/admin/profile/new-passkey">Add a passkey</a>' : 'To add a passkey, sign out and in again first: that has to be within 5 minutes of signing in.'}</p>
<h2>Sessions</h2>
<div class="scroll"><table><thead><tr><th>Browser</th><th>Address</th><th>Signed in by</th><th>Last seen</th><th></th></tr></thead><tbody>${sessionRows.join('')}</tbody></table></div>
<form data-api="/admin/api/sign-out" data-then="/admin/login"><button class="plain">Sign out</button><p class="error" role="alert" hidden></p></form>`;
    sendPage(response, 200, 'Profile', content, { script: 'forms', wide: true, navigation: navigationFor(context) });
  });
}

/** `GET /admin/profile/new-passkey`: the ceremony for someone signed in. */
export const newPasskeyPage: RequestHandler = signedIn((context, _request, response) => {
  sendPage(
    response,
    200,
    'Creating your passkey',
    `
<p>Follow your browser's instructions.</p>
<p id="state" role="status"><span class="spinner"></span>Processing...</p>
<p id="error" class="error" role="alert" hidden></p>
<button id="retry" hidden>Try again</button>`,
    { script: 'enrol', navigation: navigationFor(context) },
  );
});
