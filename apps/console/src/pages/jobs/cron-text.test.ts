import { cronText } from './cron-text.js';

describe('cronText', () => {
  it.each([
    ['* * * * *', 'Every minute'],
    ['*/5 * * * *', 'Every 5 minutes'],
    ['7 * * * *', 'Every hour at :07 UTC'],
    ['30 */6 * * *', 'Every 6 hours at :30 UTC'],
    ['10 0 * * *', 'Every day at 00:10 UTC'],
    ['0  6 * * 1', 'Every Monday at 06:00 UTC'],
    ['0 6 1 * *', 'Day 1 of every month at 06:00 UTC'],
    ['0 6 * * 1-5', undefined],
    ['0,30 * * * *', undefined],
  ])('describes the schedule %s as "%s"', (schedule, text) => expect(cronText(schedule)).toBe(text));
});
