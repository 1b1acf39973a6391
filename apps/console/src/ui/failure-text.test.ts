import { ApiError } from '../api/client.js';
import { failureText } from './failure-text.js';

describe('failureText', () => {
  it.each([
    [new ApiError(409, 'conflict', 'It is the last one.', 'req-7'), 'It is the last one. (Request ID req-7)'],
    [new ApiError(0, 'unreachable', 'The server could not be reached.'), 'The server could not be reached.'],
    [new Error('No passkey was used.'), 'No passkey was used.'],
    ['odd', 'odd'],
  ])('writes the error %s as "%s"', (error, text) => expect(failureText(error)).toBe(text));
});
