import { detailLines, jobText } from './run-detail.js';

const lines = (extension: string, detail: Record<string, unknown>) =>
  detailLines(extension, { outcome: 'succeeded', detail });

describe('what a run tells', () => {
  it.each([
    ['seal-audit', { rows: 8, seals: 1, waiting: false }, '8 rows sealed in 1 batch'],
    ['seal-audit', { rows: 0, seals: 0, waiting: true }, 'Nothing to seal; waiting for an open transaction'],
    ['expire-one-time', { console_codes: 3, tasks: 0, setup_tokens: 1 }, '4 rows deleted'],
    ['refresh-mcp-tools', { probed: 1 }, '1 server checked'],
  ])('of %s with %j is "%s"', (extension, detail, text) => expect(lines(extension, detail)).toEqual([text]));

  it('is shown as it is where the job is not known, or did not succeed', () => {
    expect(lines('constructor', { sent: 2, to: 'ops' })).toEqual(['sent: 2', 'to: ops']);
    expect(detailLines('seal-audit', { outcome: 'failed', detail: { error: 'internal_error' } })).toEqual([
      'error: internal_error',
    ]);
  });
});

describe('jobText', () => {
  it('says what the jobs of the platform do, and nothing of others', () => {
    expect([jobText('seal-audit'), jobText('toString')]).toEqual([expect.stringContaining('Seals'), undefined]);
  });
});
