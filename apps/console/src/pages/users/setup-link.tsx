import { showSecret } from '../../ui/show-secret.js';
import { exactTime } from '../../ui/time.js';

/** The link by which someone enrols their first passkey. */
export function showSetupLink(link: { name: string; setup_url: string; expires_at: string }): void {
  showSecret({
    title: 'Setup link',
    secret: link.setup_url,
    copy: 'Copy link',
    text: (
      <>
        Send it to <bdi>{link.name}</bdi> in a way that only they read. It enrols their passkey, once, until{' '}
        {exactTime(link.expires_at)}.
      </>
    ),
  });
}
