import type { NoticeDetail, NoticeKind } from '@millwright/accounts';

interface NoticeText {
  subject: string;
  text: string;
}

/** Values that the texts of notices contain. */
interface NoticeFacts {
  email: string;
  baseUrl: string;
  detail: NoticeDetail;
}

/** Returns the text of a message to the owner of an account. */
export const noticeText = (kind: NoticeKind, facts: NoticeFacts): NoticeText => TEXTS[kind](facts);

const NOT_YOU = `If this was not you, sign in, open your profile and choose "This was not me" under Security activity. If you cannot sign in, contact an
administrator today.`;

const TEXTS: Readonly<Record<NoticeKind, (facts: NoticeFacts) => NoticeText>> = {
  email_changed: ({ email, baseUrl }) => ({
    subject: 'The address of your account was changed',
    text: `An administrator gave the account with the address ${email} at ${baseUrl} another address.

You are signed out, and can sign in with your passkey as before. Recovery links go to the new address, from tomorrow on.

If you did not expect this, contact an administrator today: until then nobody can recover the account by mail.
`,
  }),
  recovery_limited: ({ email, baseUrl }) => ({
    subject: 'Recovery links for your account are paused',
    text: `Three recovery links were requested within 15 minutes for the account ${email} at ${baseUrl}. They were sent to this address only.

If you want to recover your account, use any of them: it does not matter who requested it. New requests send no link until the oldest is 15 minutes old.

If you requested none, ignore them: nothing changes without a link.
`,
  }),
  break_glass_used: ({ baseUrl }) => ({
    subject: 'A break-glass account signed in',
    text: `A break-glass account signed in at ${baseUrl} without your identity provider. You receive this as a platform admin.

Find the account in the audit log (action session.break_glass), and ask its owner why. If nobody can explain it, disable the account.
`,
  }),
  passkey_added: ({ email, baseUrl }) => ({
    subject: 'A passkey was added to your account',
    text: `A new passkey can sign in to the account ${email} at ${baseUrl}.

${NOT_YOU}
`,
  }),
  device_linked: ({ email, baseUrl }) => ({
    subject: 'A device was linked to your account',
    text: `A device can act for the account ${email} at ${baseUrl}. You see it in your profile, under Devices, and can revoke it there.

${NOT_YOU}
`,
  }),
  recovery_used: ({ email, baseUrl }) => ({
    subject: 'A recovery link of your account was used',
    text: `A recovery link signed in to the account ${email} at ${baseUrl}.

${NOT_YOU}
`,
  }),
  new_browser: ({ email, baseUrl, detail: { browser = 'an unknown browser', ip = 'unknown' } }) => ({
    subject: 'Sign-in from a new browser',
    text: `The account ${email} signed in at ${baseUrl} with ${browser}, from the address ${ip}. It had not done so with that browser in the last 180 days.

${NOT_YOU}
`,
  }),
  platform_admin_requested: ({ baseUrl }) => ({
    subject: 'A platform admin is requested',
    text: `A platform admin at ${baseUrl} requested that an account becomes one too. You receive this as a platform admin.

Another one of you confirms or refuses it within 24 hours, on the Users page. If you do not expect the request, refuse it and ask who made it.
`,
  }),
  platform_admin_refused: ({ baseUrl }) => ({
    subject: 'A platform admin was refused',
    text: `The request that an account becomes a platform admin at ${baseUrl} was refused or withdrawn. You receive this as a platform admin.

The audit log shows by whom (action platform_admin.refuse).
`,
  }),
  platform_admin_made: ({ baseUrl }) => ({
    subject: 'There is a new platform admin',
    text: `Two platform admins at ${baseUrl} made an account one too. You receive this as a platform admin.

The audit log shows whom, and by whom (actions platform_admin.request and platform_admin.confirm). If you do not expect it, disable the account.
`,
  }),
  role_changed: ({ email, baseUrl }) => ({
    subject: 'The role of your account was changed',
    text: `An administrator, or the groups of your identity provider, gave the account ${email} at ${baseUrl} another role. Your profile shows it.

If you did not expect this, contact an administrator.
`,
  }),
  passkeys_removed: ({ email, baseUrl }) => ({
    subject: 'A passkey of your account was removed',
    text: `An administrator removed a passkey from the account ${email} at ${baseUrl}.

Sign in with another passkey of yours. If you have none, ask an administrator for a setup link.

If you did not expect this, contact an administrator.
`,
  }),
  identity_unlinked: ({ email, baseUrl, detail: { issuer = 'an identity provider' } }) => ({
    subject: 'Your account was unlinked from an identity provider',
    text: `The account ${email} at ${baseUrl} was unlinked from ${issuer}. The sessions that it opened have ended.

Sign in with a passkey. If you have none, ask an administrator for a setup link, or sign in at ${issuer} again where that links the account.

If you did not expect this, contact an administrator.
`,
  }),
  webhook_failing: ({ baseUrl }) => ({
    subject: 'A webhook of your project fails',
    text: `A webhook of your project at ${baseUrl} has not accepted an event for three days. It is disabled after five days of failure.

Open Webhooks in the console to see the failed attempts, then repair the receiver or disable the webhook.
`,
  }),
  webhook_disabled: ({ baseUrl }) => ({
    subject: 'A webhook of your project was disabled',
    text: `A webhook of your project at ${baseUrl} was disabled: its receiver failed for five days, or answered that it is gone (410). It receives no
more events.

Open Webhooks in the console. Once the receiver works, enable the webhook and replay what it missed.
`,
  }),
  credential_expires: ({
    email,
    baseUrl,
    detail: { what = 'A credential', name = '', expires_at = '', days = 0 },
  }) => ({
    subject: days === 0 ? `${what} has expired` : `${what} expires within ${days} days`,
    text: `${what} "${name}" of the account ${email} at ${baseUrl} ${days === 0 ? 'expired' : 'expires'} on ${expires_at}.

Programs that use it stop working then. ${
      what === 'Device link'
        ? 'Link the device again from it'
        : 'Open Settings in the console, rotate it or create another one'
    }. If it is not used any more, revoke it.
`,
  }),
};
