import { periodOf, periodText } from './periods.js';

describe('the period in the address of the dashboard', () => {
  it('is replaced by the default period when it is missing or invalid', () => {
    expect(['24h', '90d', '', '1y', 'constructor'].map(periodOf)).toEqual(['24h', '90d', '7d', '7d', '7d']);
  });

  it('is left out when it is the default period', () => {
    expect([periodText('7d'), periodText('24h')]).toEqual([null, '24h']);
  });
});
