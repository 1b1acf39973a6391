import type { ReportRow } from '../../api/admin-records.js';
import { sumUsage } from './usage-sums.js';

const row = (user: string, model: string, tokens_in: number, tokens_out: number): ReportRow => ({
  project: 'Core',
  user: { id: `usr_${user}`, name: user, email: `${user}@example.com` },
  model,
  requests: 1,
  tokens_in,
  tokens_out,
  cost_usd: null,
  unpriced_events: 0,
});

describe('sums of usage', () => {
  const rows = [row('Ada', 'small', 10, 1), row('Ada', 'large', 50, 5), row('Bob', 'small', 20, 2)];

  it('add up rows with the same name, highest sum first', () => {
    expect(sumUsage(rows, 'model', 10)).toEqual([
      { name: 'large', input: 50, output: 5 },
      { name: 'small', input: 30, output: 3 },
    ]);
    expect(sumUsage(rows, 'user', 10).map(({ name }) => name)).toEqual(['Ada', 'Bob']);
  });

  it('separate users with the same name', () => {
    const twin = { ...row('Ada', 'small', 7, 0), user: { id: 'usr_other', name: 'Ada', email: 'other@example.com' } };
    expect(sumUsage([...rows, twin], 'user', 10)).toHaveLength(3);
  });

  it('combine the names beyond the limit', () => {
    const many = Array.from({ length: 12 }, (_, n) => row(`u${n}`, 'small', n + 1, 0));
    const sums = sumUsage(many, 'user', 4);
    expect(sums.map(({ name, input }) => [name, input])).toEqual([
      ['u11', 12],
      ['u10', 11],
      ['u9', 10],
      ['9 others', 45],
    ]);
  });
});
