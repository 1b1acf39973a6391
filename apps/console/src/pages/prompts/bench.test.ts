import type { DraftRunResult, Prompt } from '../../api/prompt-records.js';
import { NO_PARAMETERS } from '../../ui/parameter-values.js';
import { DRAFT } from '../workbench/candidate.js';
import { historyOf, runBody, type BenchTurn } from './bench.js';
import { EMPTY } from './prompt-fields.js';

const inputOf = (message: string) => ({ message, texts: {}, json: null });
const answered = (message: string, content: string): BenchTurn => ({
  input: inputOf(message),
  ...{ message, text: content, state: 'done', repairs: [] },
  result: { data: { content, structured_data: {} } } as unknown as DraftRunResult,
});

describe('historyOf', () => {
  it('returns at most the last 100 messages of answered turns, without failed turns and empty messages', () => {
    const failed: BenchTurn = { message: 'Lost', input: inputOf('Lost'), text: 'Part', state: 'failed', repairs: [] };
    expect(historyOf([answered('', 'Welcome'), failed, answered('Hi', 'Hello')])).toEqual([
      { role: 'assistant', content: 'Welcome' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ]);
    const long = historyOf(Array.from({ length: 60 }, (_, n) => answered(`m${n}`, `a${n}`)));
    expect([long.length, long.at(-1)?.content]).toEqual([100, 'a59']);
  });
});

describe('runBody', () => {
  const use = { promptId: 'p1', input: { message: 'Hi' }, turns: [] };
  const draft = { ...EMPTY, static: 'Be kind.', model_parameters: { ...NO_PARAMETERS, temperature: '0' } };
  const definition = { id: '', name: '', description: '', type: '', reference: [], schema: {} };
  const saved = {
    instruction: { static: 'Old.', state: '', dynamic: '{{message}}' },
    input: definition,
    output: { ...definition, reference: [{ uuid: 'u1', link: '', type: 'output' }] },
    model_parameters: { top_p: 0.5 },
  } as unknown as Prompt;

  it('contains the unsaved draft, its parameters, the input, and the id of the prompt', () => {
    expect(runBody(DRAFT, draft, undefined, use)).toEqual({
      instruction: { static: 'Be kind.', state: '', dynamic: '{{message}}' },
      input: { schema: {}, reference: [] },
      output: { schema: {}, reference: [] },
      model_parameters: { temperature: 0 },
      prompt: 'p1',
      history: [],
      message: 'Hi',
    });
  });

  it('contains the saved version; the model and the parameters that are set in the column replace those of the version', () => {
    const column = { version: 2, model: 'large', parameters: { ...NO_PARAMETERS, max_tokens: '9' } };
    expect(runBody(column, draft, saved, { ...use, promptId: undefined })).toMatchObject({
      ...{ instruction: saved.instruction, output: { reference: ['u1'] } },
      ...{ model: 'large', model_parameters: { max_tokens: 9 } },
    });
    expect(runBody({ ...column, parameters: null }, draft, saved, use)).toMatchObject({
      model_parameters: { top_p: 0.5 },
    });
  });

  it('is undefined while the schema is not JSON, and while the version is not loaded', () => {
    const broken = { ...draft, input: { ...draft.input, schema: '{' } };
    expect(runBody(DRAFT, broken, undefined, use)).toBeUndefined();
    expect(runBody({ ...DRAFT, version: 2 }, draft, undefined, use)).toBeUndefined();
  });
});
