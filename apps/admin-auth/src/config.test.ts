import { loadConfig } from './config.js';

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
};
const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;

describe('the delivery of recovery links', () => {
  it.each<[string, Record<string, string>]>([
    ['the log where nothing is said', {}],
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
  ])('is %s', (_case, more) => {
    expect(loadConfig({ ...env, ...more })).toMatchObject({ MAGIC_LINK_DELIVERY: 'log', ...more });
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['a way that is none', { MAGIC_LINK_DELIVERY: 'pigeon' }, ['MAGIC_LINK_DELIVERY']],
    ['smtp without server and sender', { MAGIC_LINK_DELIVERY: 'smtp' }, ['SMTP_URL', 'MAIL_FROM']],
    ['a server that is no mail server', { SMTP_URL: 'https://mail.test' }, ['SMTP_URL']],
    ['a sender that is no address', { MAIL_FROM: 'Millwright' }, ['MAIL_FROM']],
    ['a sender with a header of its own', { MAIL_FROM: 'a@b.test\r\nBcc: c@d.test' }, ['MAIL_FROM']],
    [
      'a webhook without address and secret',
      { MAGIC_LINK_DELIVERY: 'webhook' },
      ['MAGIC_LINK_WEBHOOK_URL', 'MAGIC_LINK_WEBHOOK_SECRET'],
    ],
    ['a short secret', { MAGIC_LINK_WEBHOOK_SECRET: 'whsec_aHVudGVyMg==' }, ['MAGIC_LINK_WEBHOOK_SECRET']],
    ['a secret in no base64', { MAGIC_LINK_WEBHOOK_SECRET: `whsec_${'?'.repeat(40)}` }, ['MAGIC_LINK_WEBHOOK_SECRET']],
    ['a secret of another kind', { MAGIC_LINK_WEBHOOK_SECRET: 'hunter2'.repeat(6) }, ['MAGIC_LINK_WEBHOOK_SECRET']],
  ])('refuses %s, naming the settings and no value', (_case, more, names) => {
    const load = () => loadConfig({ ...env, ...more });
    for (const name of names) expect(load).toThrow(name);
    expect(load).not.toThrow(/hunter2|aHVudGVyMg/);
  });
});
