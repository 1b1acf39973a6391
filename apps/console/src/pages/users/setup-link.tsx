import { showSecret } from '../../ui/show-secret.js';
import { exactTime } from '../../ui/time.js';

/** Shows the link for registering a first passkey. */
export function showSetupLink(link: { name: string; setup_url: string; expires_at: string }): void {
  showSecret({
    title: 'Setup link',
    secret: link.setup_url,
    copy: 'Copy link',
    text: (
      <>
        Send this link to <bdi>{link.name}</bdi> over a private channel. It creates their passkey, works once, and
        expires {exactTime(link.expires_at)}.
      </>
    ),
  });
}
