import { callRows, chartRows, dayLabel, daysOf, nameOf, toolName, valueOf } from './usage-data.js';

const point = (requests: number, cost_usd: number | null = 0.5) => ({
  requests,
  tokens_in: 10,
  tokens_out: 5,
  cost_usd,
});

describe('valueOf', () => {
  it.each([
    ['cost', 0.5],
    ['tokens', 15],
    ['requests', 2],
  ] as const)('returns, for the measure "%s", its value at a point of the chart', (measure, value) =>
    expect(valueOf(point(2), measure)).toBe(value),
  );
});

describe('chartRows', () => {
  it('returns one row for each day, with 0 for an unknown cost', () => {
    const usage = {
      days: ['2026-11-01', '2026-11-02'],
      series: [
        { id: 'a', points: [point(1), point(2, null)] },
        { id: null, points: [point(3), point(4)] },
      ],
    };
    expect(chartRows(usage, 'cost')).toEqual([
      { day: '2026-11-01', s0: 0.5, s1: 0.5 },
      { day: '2026-11-02', s0: 0, s1: 0.5 },
    ]);
    expect(chartRows(usage, 'requests').map(({ day, ...values }) => [day, values])).toEqual([
      ['2026-11-01', { s0: 1, s1: 3 }],
      ['2026-11-02', { s0: 2, s1: 4 }],
    ]);
  });
});

describe('nameOf', () => {
  const sums = { ...point(1), is_cost_complete: true };
  const usage = {
    rows: [
      { ...sums, id: 'ag_1', name: 'Order desk' },
      { ...sums, id: 'ag_2', name: null },
    ],
  };

  it.each([
    ['ag_1', 'Order desk'],
    ['ag_2', 'Deleted (ag_2…)'],
    [null, 'Others'],
  ])('returns for the id %p the name "%s"', (id, name) => expect(nameOf(usage, id)).toBe(name));
});

describe('callRows', () => {
  it('returns one row for each day', () => {
    const points = [
      { calls: 3, failed: 1 },
      { calls: 4, failed: 0 },
    ];
    const usage = { days: ['2026-11-01', '2026-11-02'], series: [{ tool: 'find', server_id: 'ms_1', points }] };
    expect(callRows(usage, 'failed')).toEqual([
      { day: '2026-11-01', s0: 1 },
      { day: '2026-11-02', s0: 0 },
    ]);
  });
});

describe('toolName', () => {
  const row = (tool: string, id: string, name: string | null) => ({ tool, server: { id, name }, calls: 1, failed: 0 });
  const rows = [row('find', 'ms_1', 'Shop'), row('find', 'ms_2', null), row('weigh', 'ms_1', 'Shop')];

  it.each([
    ['find', 'ms_1', 'find (Shop)'],
    ['find', 'ms_2', 'find (Deleted (ms_2…))'],
    ['weigh', 'ms_1', 'weigh'],
    [null, null, 'Others'],
  ])('of %p at the server %p is "%s"', (tool, server_id, name) =>
    expect(toolName({ rows }, { tool, server_id, points: [] })).toBe(name),
  );
});

describe('daysOf', () => {
  it('returns the first and the last day of a period of 7 days that ends today in UTC', () => {
    expect(daysOf('7d', new Date('2026-11-23T23:59:00Z'))).toEqual({ from: '2026-11-17', to: '2026-11-23' });
  });
});

describe('dayLabel', () => {
  it('writes the day in UTC, whatever the time zone of the reader', () => expect(dayLabel('2026-11-03')).toBe('Nov 3'));
});
