import { periodOf, periodText } from './periods.js';

describe('periodOf', () => {
  it('returns the period in the address, and the default period for an invalid address', () => {
    expect(['24h', '90d', '', '1y', 'constructor'].map(periodOf)).toEqual(['24h', '90d', '7d', '7d', '7d']);
  });

  it('omits the default period from the address', () => {
    expect([periodText('7d'), periodText('24h')]).toEqual([null, '24h']);
  });
});
