import type { Page } from '@millwright/pages';
import type { SsoRefusal } from './identities.store.js';

const TEXTS: Readonly<Record<SsoRefusal, string>> = {
  'no group gives access':
    'None of your groups gives access to this installation. Ask an administrator to add you to one.',
  'project of the group does not exist':
    'Your group gives access to a project that does not exist. Ask an administrator to correct the settings of this sign-in.',
  'email not verified':
    'Your identity provider did not confirm your email address. Verify it there, or ask an administrator.',
  'email of another domain': 'Your email address is not of a domain that signs in this way.',
  'linking by email is off':
    'An account with your email address exists, but it is not linked to this identity provider. Sign in with your passkey.',
  'account has another identity':
    'The account with your email address belongs to another user of this identity provider. Ask an administrator.',
  'no account': 'There is no account with your email address. Ask an administrator to create one.',
  'account disabled': 'Your account is disabled. Ask an administrator to enable it.',
};

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'The identity provider sent no answer to a sign-in of this browser. Sign in again.',
  401: 'The answer of the identity provider was not valid, was used before, or came too late. Sign in again.',
  403: 'The identity provider did not confirm that it was you, just now. Try again.',
  404: 'This session was not opened by an identity provider. Confirm with your passkey.',
  409: 'Your account was being created by another sign-in. Sign in again.',
  422: 'Your identity provider sent an email address or a name that an account cannot have. Ask an administrator.',
  503: 'The identity provider does not answer. Try again in a few minutes, or sign in with your passkey.',
};

/** Makes the page that is shown after a single sign-on failed: what happened and what to do. */
export const refusalPage = (status: number, reason: SsoRefusal | undefined): Page => ({
  name: 'notice',
  title: 'You are not signed in',
  data: {
    text: [(reason && TEXTS[reason]) ?? BY_STATUS[status] ?? ''],
    links: [{ label: 'Back to sign in', href: '/admin/login' }],
    isError: true,
  },
});
