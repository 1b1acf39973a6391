import { namedParameters, readParameters, statedOver } from './parameters.js';

describe('statedOver', () => {
  const below = { temperature: 0.2, top_p: 0.5, max_tokens: 100, stop: ['END'], reasoning_effort: 'low' } as const;

  it('takes from its second argument each parameter that the request omits or sets to undefined', () => {
    const request = { temperature: 0, maxTokens: undefined, sampling: { seed: 7, topP: undefined } };
    expect(statedOver(request, { ...below, stop: ['END'] })).toEqual({
      ...{ temperature: 0, maxTokens: 100 },
      sampling: { topP: 0.5, stop: ['END'], reasoningEffort: 'low', seed: 7 },
    });
  });

  it('omits parameters that neither argument sets', () => {
    expect(statedOver({ sampling: { topP: undefined } }, { stop: [] })).toEqual({});
  });
});

describe('namedParameters', () => {
  it('returns the parameters that are set, by their names in the API', () => {
    const sampling = { topP: 0.5, stop: ['END'], frequencyPenalty: 1, reasoningEffort: 'low' } as const;
    expect(namedParameters({ temperature: 0, maxTokens: 9, sampling })).toEqual({
      ...{ temperature: 0, max_tokens: 9, top_p: 0.5, stop: ['END'], frequency_penalty: 1, reasoning_effort: 'low' },
    });
  });
});

describe('readParameters', () => {
  it('leaves out parameters that this release does not support', () => {
    expect(readParameters({ temperature: 1, top_p: 7, later: true })).toEqual({ temperature: 1 });
    expect(readParameters(null)).toEqual({});
  });
});
