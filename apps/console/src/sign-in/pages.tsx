import type { Page, PageData, PageName } from '@millwright/pages';
import type { ComponentType } from 'react';
import { AddPasskey } from './add-passkey.page.js';
import { Authorize } from './authorize.page.js';
import { Consent } from './consent.page.js';
import { DeviceCode, DeviceLink } from './device-link.page.js';
import { Login } from './login.page.js';
import { AskMagicLink, RedeemMagicLink } from './magic-link.page.js';
import { Notice } from './notice.page.js';
import { UserCode } from './user-code.page.js';
import { Register } from './register.page.js';
import { VerifyPending } from './verify-pending.page.js';

const PAGES: { [Name in Exclude<PageName, 'setup-link'>]: ComponentType<PageData[Name]> } = {
  login: Login,
  authorize: Authorize,
  register: Register,
  'add-passkey': AddPasskey,
  'verify-pending': VerifyPending,
  'ask-magic-link': AskMagicLink,
  'redeem-magic-link': RedeemMagicLink,
  consent: Consent,
  'user-code': UserCode,
  'device-link': DeviceLink,
  'device-code': DeviceCode,
  notice: Notice,
};

/** Renders a page. `setup-link` has no content, because `openPage` replaces it by another page before rendering. */
export function PageContent({ page }: { page: Page }) {
  if (page.name === 'setup-link') return null;
  const Content = PAGES[page.name] as ComponentType<Page['data']>;
  return <Content {...page.data} />;
}
