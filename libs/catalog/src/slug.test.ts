import { slugCandidates, slugify } from './slug.js';

describe('slugify', () => {
  it.each([
    ['Helper', 'helper'],
    ['Träger & Söhne GmbH', 'trager-sohne-gmbh'],
    ['  spaced   out  ', 'spaced-out'],
    ['Ünïcode ﬁne', 'unicode-fine'],
    ['a_b.c/d', 'a-b-c-d'],
    ['--', ''],
    ['日本語', ''],
    ['🏭', ''],
    ['Agent 2', 'agent-2'],
  ])('makes %j into %j', (name, slug) => {
    expect(slugify(name)).toBe(slug);
  });

  it('returns at most 60 characters and no hyphen at the end', () => {
    expect(slugify('x'.repeat(100))).toHaveLength(60);
    expect(slugify(`${'x'.repeat(59)} y`)).toBe('x'.repeat(59));
    expect(slugify(`!${'x'.repeat(60)}`)).toBe('x'.repeat(60));
  });
});

describe('slugCandidates', () => {
  it('returns the slug itself first, then the slug with numbers from 2 on', () => {
    expect(slugCandidates('helper', 3)).toEqual(['helper', 'helper-2', 'helper-3']);
  });

  it.each(['registry', 'concierge', 'platform'])('returns the reserved slug %s only with a number', (reserved) => {
    expect(slugCandidates(reserved, 2)).toEqual([`${reserved}-2`]);
  });
});
