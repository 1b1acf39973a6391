import { digestTag, entityTag, isUnchanged, versionsAllowed } from './conditional.js';

describe('entityTag', () => {
  it("is a strong tag that starts with the service's letter", () => {
    expect((['admin', 'platform', 'runtime', 'prompt'] as const).map((area) => entityTag(area, 3))).toEqual([
      '"a-3"',
      '"b-3"',
      '"c-3"',
      '"d-3"',
    ]);
  });
});

describe('digestTag', () => {
  it('is a strong tag that changes with the body and with the version; versionsAllowed reads the version from the tag', () => {
    const tag = digestTag('prompt', { a: 1 }, 7);
    expect(tag).toMatch(/^"d-7-[0-9a-f]{32}"$/);
    expect(digestTag('prompt', { a: 1 }, 7)).toBe(tag);
    expect([digestTag('prompt', { a: 2 }, 7), digestTag('prompt', { a: 1 }, 8)]).not.toContain(tag);
    expect(versionsAllowed('prompt', tag)).toEqual([7]);
    expect(versionsAllowed('prompt', digestTag('prompt', {}))).toEqual([0]);
  });
});

describe('versionsAllowed', () => {
  it.each<[string | undefined, readonly number[] | undefined]>([
    [undefined, undefined],
    ['*', undefined],
    ['"b-3"', [3]],
    ['"b-3", "b-12"', [3, 12]],
    ['W/"b-3"', []],
    ['"c-3"', []],
    ['b-3', []],
    ['"b-1e1"', []],
    ['', []],
  ])('reads If-Match: %p as %p', (header, versions) => {
    expect(versionsAllowed('platform', header)).toEqual(versions);
  });
});

describe('isUnchanged', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ['*', true],
    ['"b-3"', true],
    ['W/"b-3"', true],
    ['"b-2", "b-3"', true],
    ['"b-2"', false],
    ['b-3', false],
  ])('returns for If-None-Match: %p the value %p', (header, unchanged) => {
    expect(isUnchanged(header, '"b-3"')).toBe(unchanged);
  });

  it('is true for the weak and for the strong form of a tag', () => {
    expect(['W/"x"', '"x"', '"y"', 'x'].map((header) => isUnchanged(header, 'W/"x"'))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
