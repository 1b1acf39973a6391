import { passageIn } from './passage-link.js';

const ORIGIN = 'https://mill.example';

describe('passageIn', () => {
  it('returns the id of the passage to which a link leads', () =>
    expect(passageIn(`${ORIGIN}/chat/passages/ct_01ArZ9`, ORIGIN)).toBe('ct_01ArZ9'));

  it.each([
    'https://evil.example/chat/passages/ct_01ArZ9',
    `${ORIGIN}/chat/passages/ct_01ArZ9/more`,
    `${ORIGIN}/chat/passages/../../admin`,
    `${ORIGIN}/chat/ctx_1`,
    'mailto:a@mill.example',
    'passages/ct_01ArZ9',
  ])('returns no id for the link %s, so that the browser opens the link', (href) =>
    expect(passageIn(href, ORIGIN)).toBeUndefined(),
  );
});
