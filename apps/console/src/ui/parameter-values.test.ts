import { NO_PARAMETERS, parameterFaults, parametersIn, parameterValues } from './parameter-values.js';

describe('parametersIn and parameterValues', () => {
  it('leave parameters unchanged, including a temperature of 0', () => {
    const set = { temperature: 0, max_tokens: 5, top_p: 0.5, reasoning_effort: 'low', stop: ['END'] } as const;
    expect(parametersIn(parameterValues({ ...set, stop: ['END'] }))).toEqual(set);
  });

  it('leave out empty parameters', () => {
    expect(parametersIn(parameterValues({}))).toEqual({});
    expect(parametersIn({ ...NO_PARAMETERS, temperature: ' ' })).toEqual({});
  });
});

describe('parameterFaults', () => {
  it.each([
    [{}, []],
    [{ temperature: '0', top_p: '1', max_tokens: '1' }, []],
    [{ temperature: 'warm' }, ['temperature']],
    [{ temperature: '2.1' }, ['temperature']],
    [{ top_p: '-0.1' }, ['top_p']],
    [{ max_tokens: '0' }, ['max_tokens']],
    [{ max_tokens: '1.5' }, ['max_tokens']],
  ])('for the parameters %j reports the fields %j', (changes, fields) =>
    expect(Object.keys(parameterFaults({ ...NO_PARAMETERS, ...changes }))).toEqual(fields),
  );
});
