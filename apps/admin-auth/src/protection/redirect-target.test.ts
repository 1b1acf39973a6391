import { redirectTarget } from './redirect-target.js';
import { HOSTILE_REDIRECTS } from './test-redirects.js';

describe('redirectTarget', () => {
  it('returns no target outside the console for more than 120 hostile texts', () => {
    expect(HOSTILE_REDIRECTS.length).toBeGreaterThanOrEqual(120);
    for (const text of HOSTILE_REDIRECTS)
      expect({ text, target: redirectTarget(text) }).toEqual({ text, target: undefined });
  });

  it.each([
    '/admin',
    '/admin?x=1',
    '/admin/',
    '/admin/profile',
    '/chat',
    '/chat/ctx_1',
    '/admin/access/users?search=a%20b#top',
    '/bridge-auth/device-link?redirect=http://127.0.0.1:5000/',
  ])('returns %s unchanged', (path) => expect(redirectTarget(path)).toBe(path));

  it('returns the normalized path', () => expect(redirectTarget('/admin/x/../profile')).toBe('/admin/profile'));
});
