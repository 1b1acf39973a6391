import { importLangfuse } from './import-langfuse.js';

const chat = (version: number, labels: string[]) => ({
  type: 'chat',
  name: 'critic',
  version,
  labels,
  tags: ['films', 'films'],
  config: { model: 'large', temperature: 0.2 },
  prompt: [
    { role: 'system', content: `Critic ${version} of {{ film }}.` },
    { type: 'placeholder', name: 'history' },
    { role: 'user', content: 'Rate {{film}}.' },
  ],
});

describe('importing prompts of Langfuse', () => {
  it('imports the version with the label production, and lists the versions, labels and fields that are not imported', () => {
    const { prompts, left } = importLangfuse([chat(1, []), chat(2, ['production', 'eu']), chat(3, ['latest'])]);
    expect(prompts).toMatchObject([
      {
        title: 'critic',
        description: 'Version 2 of Langfuse',
        tags: ['films'],
        system: 'Critic 2 of {{film}}.',
        user: 'Rate {{film}}.',
        input: { schema: { properties: { film: { type: 'string' } } } },
        model_parameters: { temperature: 0.2 },
      },
    ]);
    expect(left.map(({ what }) => what)).toEqual([
      'version 3 (latest)',
      'version 1',
      'the labels (production, eu)',
      'the placeholder history',
      'config.model',
    ]);
  });

  it('imports the newest version when no version has the label production; the text of a text prompt becomes the user message', () => {
    const text = { type: 'text', name: 'greet', prompt: 'Greet {{name}}.', config: null };
    const { prompts, left } = importLangfuse({
      data: [
        { ...text, version: 1 },
        { ...text, version: 4 },
      ],
    });
    expect(prompts).toMatchObject([
      { title: 'greet', description: 'Version 4 of Langfuse', system: '', user: 'Greet {{name}}.' },
    ]);
    expect(left).toEqual([{ prompt: 'greet', what: 'version 1' }]);
    expect(importLangfuse({ ...text, version: 2 }).prompts).toHaveLength(1);
  });

  it.each([[null], [5], [{}], [[]], [[{ name: 'Empty' }]], [{ name: 'a', prompt: 7 }]])(
    'refuses %j, which contains no valid prompt',
    (value) => {
      expect(() => importLangfuse(value)).toThrow('no prompt of Langfuse');
    },
  );
});
