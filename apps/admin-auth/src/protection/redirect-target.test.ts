import { redirectTarget } from './redirect-target.js';

const HOSTS = [
  'evil.example',
  'evil.example/admin',
  'localhost@evil.example',
  '[::1]',
  '0x7f000001',
  'evil.example:80',
];
const PREFIXES = [
  '//',
  '///',
  '////',
  '/\\',
  '\\\\',
  '\\/',
  '/\t/',
  '/\n/',
  '/\r/',
  '\t//',
  ' //',
  'http://',
  'https://',
  'https:',
  'https:/',
  'HTTPS://',
  'ftp://',
  'javascript://',
  '/admin//',
  '/admin/..//',
  '/admin/../..//',
  '/admin/%2e%2e//',
  '/admin/.%2e//',
  '/admin\\..\\..//',
  '/bridge-auth//',
  '/bridge-auth/..//',
  '/admin/%2E%2E/%2E%2E//',
  '/./admin/..//',
  '/%2f',
  '/%5c',
  '@',
  '.',
  '/.',
  '/admin@',
  '/admin.',
  '/admin:80@',
];
const ALONE = [
  '',
  '/',
  'admin',
  '/api/v1/skills',
  '/administrator',
  '/admin-evil',
  '/admin/../api',
  '/admin/%2e%2e/api',
  'javascript:alert(1)',
  'data:text/html,x',
  '/admin\u0000',
  '/admin/\u2028',
  '/admin/x y',
  '/ADMIN',
  '/bridge-auth',
  '/bridge-authx/y',
  `/admin/${'a'.repeat(2_001)}`,
  '/admin\\@evil.example',
  '/admin/\\evil.example',
  '/\u200Badmin',
  '／admin',
  '/admin/..',
  undefined,
  null,
  7,
  ['/admin'],
];
const corpus: unknown[] = [...PREFIXES.flatMap((prefix) => HOSTS.map((host) => prefix + host)), ...ALONE];

describe('redirectTarget', () => {
  it('gives nothing, for each of more than 120 hostile texts, that leads away from the console', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(120);
    for (const text of corpus) expect({ text, target: redirectTarget(text) }).toEqual({ text, target: undefined });
  });

  it.each([
    '/admin',
    '/admin?x=1',
    '/admin/',
    '/admin/profile',
    '/admin/access/users?search=a%20b#top',
    '/bridge-auth/device-link?redirect=http://127.0.0.1:5000/',
  ])('keeps %s', (path) => expect(redirectTarget(path)).toBe(path));

  it('gives the normal form', () => expect(redirectTarget('/admin/x/../profile')).toBe('/admin/profile'));
});
