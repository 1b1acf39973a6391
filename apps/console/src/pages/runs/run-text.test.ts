import { actorsText, barsOf, durationOf, durationText } from './run-text.js';

describe('durationText', () => {
  it.each([
    [-5, '0 ms'],
    [812.4, '812 ms'],
    [1_000, '1.0 s'],
    [59_990, '59.9 s'],
    [245_000, '4 min 5 s'],
    [7_384_000, '2 h 3 min'],
  ])('shows %d milliseconds as %s', (milliseconds, text) => expect(durationText(milliseconds)).toBe(text));
});

describe('actorsText', () => {
  it('names each actor with its version and issuer, the nearest actor first', () => {
    expect(
      actorsText([
        { issuer: 'https://agents.example', sub: 'ag_1', version: 3 },
        { issuer: null, sub: 'mw_client_1', version: null },
      ]),
    ).toBe('ag_1 @ version 3 of https://agents.example, for mw_client_1');
  });
});

describe('durationOf', () => {
  it('returns the time from the start of a run to its end or, while the run is unfinished, to now', () => {
    const started_at = '2026-01-01T00:00:00.000Z';
    expect(durationOf({ started_at: null, ended_at: null }, 0)).toBeUndefined();
    expect(durationOf({ started_at, ended_at: '2026-01-01T00:00:02.000Z' }, 0)).toBe(2_000);
    expect(durationOf({ started_at, ended_at: null }, Date.parse(started_at) + 500)).toBe(500);
  });
});

describe('barsOf', () => {
  it('returns bars on one time axis; the bar of an unfinished step ends at the present time', () => {
    const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
    const steps = [
      { started_at: at(10), ended_at: at(12) },
      { started_at: at(12), ended_at: at(15) },
      { started_at: at(15), ended_at: null },
    ];
    expect(barsOf(steps, 20_000)).toEqual([
      { left: 0, width: 20 },
      { left: 20, width: 30 },
      { left: 50, width: 50 },
    ]);
  });

  it('returns finite bars for no steps and for steps of zero duration', () => {
    expect(barsOf([], 0)).toEqual([]);
    const at = new Date(0).toISOString();
    expect(barsOf([{ started_at: at, ended_at: at }], 0)).toEqual([{ left: 0, width: 0 }]);
  });
});
