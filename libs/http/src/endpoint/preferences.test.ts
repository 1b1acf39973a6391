import { preferencesOf } from './preferences.js';

describe('preferencesOf', () => {
  it.each([
    [undefined, { respondAsync: false, wait: undefined }],
    ['', { respondAsync: false, wait: undefined }],
    ['respond-async', { respondAsync: true, wait: undefined }],
    ['Respond-Async, wait=10', { respondAsync: true, wait: 10 }],
    ['wait="7"; foo=bar', { respondAsync: false, wait: 7 }],
    ['return=minimal, , wait = 3', { respondAsync: false, wait: 3 }],
    ['wait=4, wait=5', { respondAsync: false, wait: 4 }],
    ['wait=-1', { respondAsync: false, wait: undefined }],
    ['wait=1.5', { respondAsync: false, wait: undefined }],
    ['wait=99999999999', { respondAsync: false, wait: undefined }],
    ['x-respond-async', { respondAsync: false, wait: undefined }],
  ])('reads the header %p', (header, preferences) => {
    expect(preferencesOf(header)).toEqual(preferences);
  });
});
