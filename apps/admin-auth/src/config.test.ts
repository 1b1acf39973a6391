import { loadConfig } from './config.js';
import { exposesLinks } from './magic-link/delivery-config.js';
import { registrationRules } from './registration/registration.service.js';

const env = {
  PORT: '4001',
  ADMIN_PORT: '5001',
  DATABASE_URL: 'postgresql://u:p@db/x',
  BASE_URL: 'https://mw.example.com',
  RUNTIME_URL: 'https://runtime.example.com',
  PROMPT_API_URL: 'https://prompt.example.com',
  SIGNING_KEY_FILE: '/keys/admin.pem',
  SECRETS_KEYS: `test:${Buffer.alloc(32).toString('base64')}`,
  DEVICE_CA_KEY_FILE: '/keys/devices.pem',
  DEVICE_CA_CERT_FILE: '/keys/devices-certificate.pem',
  SECURITY_ALLOW_REGISTRATION: 'false',
};
const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;

describe('the delivery of recovery links', () => {
  it.each<[string, Record<string, string>]>([
    ['the log by default', {}],
    ['smtp', { MAGIC_LINK_DELIVERY: 'smtp', SMTP_URL: 'smtps://u:p@mail.test', MAIL_FROM: 'Mill <a@b.test>' }],
    [
      'smtp with a bare sender',
      { MAGIC_LINK_DELIVERY: 'smtp', SMTP_URL: 'smtp://mail.test:587', MAIL_FROM: 'a@b.test' },
    ],
    [
      'a webhook',
      {
        MAGIC_LINK_DELIVERY: 'webhook',
        MAGIC_LINK_WEBHOOK_URL: 'https://hook.test/x',
        MAGIC_LINK_WEBHOOK_SECRET: SECRET,
      },
    ],
  ])('is read from the settings: %s', (_case, more) => {
    expect(loadConfig({ ...env, ...more })).toMatchObject({ MAGIC_LINK_DELIVERY: 'log', ...more });
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['an unknown delivery', { MAGIC_LINK_DELIVERY: 'pigeon' }, ['MAGIC_LINK_DELIVERY']],
    ['smtp without server and sender', { MAGIC_LINK_DELIVERY: 'smtp' }, ['SMTP_URL', 'MAIL_FROM']],
    ['an SMTP server with another scheme', { SMTP_URL: 'https://mail.test' }, ['SMTP_URL']],
    ['a sender without an address', { MAIL_FROM: 'Millwright' }, ['MAIL_FROM']],
    ['a sender with a header of its own', { MAIL_FROM: 'a@b.test\r\nBcc: c@d.test' }, ['MAIL_FROM']],
    [
      'a webhook without address and secret',
      { MAGIC_LINK_DELIVERY: 'webhook' },
      ['MAGIC_LINK_WEBHOOK_URL', 'MAGIC_LINK_WEBHOOK_SECRET'],
    ],
    ['a short secret', { MAGIC_LINK_WEBHOOK_SECRET: 'whsec_aHVudGVyMg==' }, ['MAGIC_LINK_WEBHOOK_SECRET']],
    [
      'a secret that is not base64',
      { MAGIC_LINK_WEBHOOK_SECRET: `whsec_${'?'.repeat(40)}` },
      ['MAGIC_LINK_WEBHOOK_SECRET'],
    ],
    ['a secret of another kind', { MAGIC_LINK_WEBHOOK_SECRET: 'hunter2'.repeat(6) }, ['MAGIC_LINK_WEBHOOK_SECRET']],
  ])('is refused with %s; the error names the settings and shows no value', (_case, more, names) => {
    const load = () => loadConfig({ ...env, ...more });
    for (const name of names) expect(load).toThrow(name);
    expect(load).not.toThrow(/hunter2|aHVudGVyMg/);
  });
});

describe('registration', () => {
  it('must be allowed or forbidden by an explicit setting when the console uses https', () => {
    const unstated = { ...env, SECURITY_ALLOW_REGISTRATION: undefined };
    expect(() => loadConfig(unstated)).toThrow(/SECURITY_ALLOW_REGISTRATION: is required where BASE_URL is https/);
    const local = registrationRules(loadConfig({ ...unstated, BASE_URL: 'http://localhost:8080' }));
    expect(local).toMatchObject({ allowRegistration: true, claimRequiresInvite: false });
  });

  it.each([
    ['closed', { SECURITY_ALLOW_REGISTRATION: 'false' }, true],
    ['closed', { SECURITY_ALLOW_REGISTRATION: 'false', SECURITY_CLAIM_REQUIRES_INVITE: 'false' }, false],
    ['open', { SECURITY_ALLOW_REGISTRATION: 'true' }, false],
    ['open', { SECURITY_ALLOW_REGISTRATION: 'true', SECURITY_CLAIM_REQUIRES_INVITE: 'true' }, true],
  ])('is %s with the settings %j, and claiming an account requires an invitation: %s', (_state, more, expected) => {
    expect(registrationRules(loadConfig({ ...env, ...more })).claimRequiresInvite).toBe(expected);
  });

  it('is limited to the configured roles and domains', () => {
    const more = { SECURITY_REGISTRATION_ROLES: 'user', SECURITY_REGISTRATION_DOMAINS: 'Corp.example, example.org' };
    const smtp = { MAGIC_LINK_DELIVERY: 'smtp', SMTP_URL: 'smtps://mail.test', MAIL_FROM: 'a@b.test' };
    const open = { ...env, SECURITY_ALLOW_REGISTRATION: 'true', ...more };
    expect(() => loadConfig(open)).toThrow(/SECURITY_REGISTRATION_DOMAINS: needs MAGIC_LINK_DELIVERY smtp or webhook/);
    expect(registrationRules(loadConfig({ ...open, ...smtp })).sendsLink).toBe(true);
    expect(registrationRules(loadConfig({ ...env, ...more })).sendsLink).toBe(false);
    expect(loadConfig({ ...env, ...more })).toMatchObject({
      SECURITY_REGISTRATION_ROLES: ['user'],
      SECURITY_REGISTRATION_DOMAINS: ['corp.example', 'example.org'],
    });
    expect(() => loadConfig({ ...env, SECURITY_REGISTRATION_ROLES: 'root' })).toThrow('SECURITY_REGISTRATION_ROLES');
    expect(() => loadConfig({ ...env, SECURITY_REGISTRATION_DOMAINS: '@corp' })).toThrow('such as example.com');
  });
});

describe('recovery', () => {
  it.each([
    [{}, true],
    [{ RECOVERY: 'users-only' }, true],
    [{ RECOVERY: 'off' }, false],
    [{ BASE_URL: 'http://localhost:8080' }, false],
    [{ MAGIC_LINK_DELIVERY: 'smtp', SMTP_URL: 'smtps://mail.test', MAIL_FROM: 'a@b.test' }, false],
  ])('writes links to the log of a console with https when the settings are %j: %s', (more, expected) => {
    expect(exposesLinks(loadConfig({ ...env, ...more }))).toBe(expected);
  });

  it('accepts only the values off, users-only and all', () => {
    expect(() => loadConfig({ ...env, RECOVERY: 'some' })).toThrow('RECOVERY');
  });
});

describe('the networks from which admins may use the console', () => {
  it('are read as a list of addresses and networks', () => {
    const SECURITY_ADMIN_NETWORKS_CORE = '10.0.0.0/8, 203.0.113.9,2001:db8::/32';
    expect(loadConfig({ ...env, SECURITY_ADMIN_NETWORKS_CORE })).toMatchObject({
      SECURITY_ADMIN_NETWORKS_CORE: ['10.0.0.0/8', '203.0.113.9', '2001:db8::/32'],
      SECURITY_ADMIN_NETWORKS_COMMERCE: [],
    });
  });

  it.each(['10.0.0.0/33', '2001:db8::/129', '10.0.0', 'vpn.example', '10.0.0.0/8/8', 'fe80::1%eth0', '/8'])(
    'are refused when a network is %s',
    (text) => {
      const load = () => loadConfig({ ...env, SECURITY_ADMIN_NETWORKS_COMMERCE: text });
      expect(load).toThrow('SECURITY_ADMIN_NETWORKS_COMMERCE');
    },
  );
});

describe('the settings for the models of passkeys', () => {
  it('must contain both the list of models and the certificates of their manufacturers, or neither', () => {
    const aaguid = 'F8A011F3-8C0A-4D15-8006-17111F9EDC7D';
    expect(loadConfig({ ...env, PASSKEY_AAGUIDS: aaguid, PASSKEY_ROOTS_FILE: '/roots.pem' })).toMatchObject({
      PASSKEY_AAGUIDS: [aaguid.toLowerCase()],
    });
    expect(() => loadConfig({ ...env, PASSKEY_AAGUIDS: aaguid })).toThrow('PASSKEY_ROOTS_FILE: is required together');
    expect(() => loadConfig({ ...env, PASSKEY_ROOTS_FILE: '/roots.pem' })).toThrow('PASSKEY_AAGUIDS: is required');
    expect(() => loadConfig({ ...env, PASSKEY_AAGUIDS: 'yubikey', PASSKEY_ROOTS_FILE: '/x' })).toThrow('AAGUIDs');
  });
});
