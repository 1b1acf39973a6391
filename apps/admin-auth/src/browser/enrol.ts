import { startRegistration, type PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { element, send, showError, textOf } from './page.js';
import { signal, type Signal } from './signals.js';

interface Started {
  ceremony: string;
  options: PublicKeyCredentialCreationOptionsJSON;
}

/** Makes the passkey, with the page's setup token. */
async function enrol(): Promise<void> {
  element('error').hidden = true;
  element('retry').hidden = true;
  element('state').hidden = false;
  const setup_token = element('state').dataset['token'];
  const { ceremony, options } = await send<Started>('/admin/api/passkey/register/start', { setup_token });
  const response = await startRegistration({ optionsJSON: options });
  const name = new URLSearchParams(location.search).get('name') ?? 'Passkey';
  const { signals } = await send<{ signals: Signal[] }>('/admin/api/passkey/register/finish', {
    ceremony,
    name,
    response,
  });
  for (const each of signals) signal(each);
  location.replace('/admin/login');
}

const run = () => void enrol().catch((error: unknown) => showError(`The passkey was not created. ${textOf(error)}`));
element('retry').addEventListener('click', run);
run();
