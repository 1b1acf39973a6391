import { readFileSync } from 'node:fs';
import { detailLines, jobText } from './run-detail.js';

const lines = (extension: string, detail: Record<string, unknown>) =>
  detailLines(extension, { outcome: 'succeeded', detail });

describe('detailLines', () => {
  it.each([
    ['verify-audit', { verified: null }, 'Nothing to verify'],
    ['verify-audit', { verified: 'later', rows: 50_000 }, '50,000 rows verified so far'],
    ['verify-audit', { verified: 'broken', rows: 8, faults: 1 }, '8 rows verified, 1 fault'],
    ['seal-audit', { rows: 8, seals: 1, waiting: false }, '8 rows sealed in 1 batch'],
    ['seal-audit', { rows: 0, seals: 0, waiting: true }, 'Nothing to seal; waiting for an open transaction'],
    ['expire-one-time', { console_codes: 3, tasks: 0, setup_tokens: 1 }, '4 rows deleted'],
    [
      'forget-content',
      { contexts: 1, conversations: 2, webhooks: 0, triggers: 1, words: 2 },
      '3 conversations, 0 prompts, 0 webhooks, 1 trigger and 2 words deleted',
    ],
    ['keep-partitions', { made: 3, delayed: 0, unplaced: 0 }, '3 partitions made'],
    [
      'keep-partitions',
      { made: 0, delayed: 1, unplaced: 2 },
      '0 partitions made; 1 table in use; 2 tables with rows in no month',
    ],
    ['refresh-mcp-tools', { probed: 1 }, '1 server checked'],
    ['remind-of-expiry', { reminded: 2 }, '2 owners reminded'],
  ])('describes a run of %s with %j as "%s"', (extension, detail, text) =>
    expect(lines(extension, detail)).toEqual([text]),
  );

  it('returns the names and values of the details unchanged for an unknown job and for a failed run', () => {
    expect(lines('constructor', { sent: 2, to: 'ops' })).toEqual(['sent: 2', 'to: ops']);
    expect(detailLines('seal-audit', { outcome: 'failed', detail: { error: 'internal_error' } })).toEqual([
      'error: internal_error',
    ]);
  });
});

describe('jobText', () => {
  it('describes each job of the default schedule', () => {
    const file = new URL('../../../../../config/jobs.yaml', import.meta.url);
    const extensions = [...readFileSync(file, 'utf8').matchAll(/extension: ([\w-]+)/g)].map(([, name = '']) => name);
    expect(extensions.length).toBeGreaterThan(5);
    expect(extensions.filter((extension) => jobText(extension) === undefined)).toEqual([]);
  });

  it('returns a description for a built-in job, and undefined for an unknown job', () => {
    expect([jobText('seal-audit'), jobText('toString')]).toEqual([expect.stringContaining('Seals'), undefined]);
  });
});
