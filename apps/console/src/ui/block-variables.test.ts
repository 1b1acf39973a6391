import { variablesIn } from './block-variables.js';

describe('variablesIn', () => {
  it.each([
    ['Sign as "The {{brand}} team".', ['brand']],
    ['{{ a }} {{a}} {{b.c}}', ['a', 'b.c']],
    [String.raw`\{{literal}} {{real}}`, ['real']],
    ['{{not closed', []],
    ['', []],
  ])('returns for the text %j the names %j', (text, names) => expect(variablesIn(text)).toEqual(names));
});
