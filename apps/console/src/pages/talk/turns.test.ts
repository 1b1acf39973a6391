import type { MessageEvent } from '../../api/runtime-records.js';
import { turnsOf as turnsIn, withProgress, type Step } from './turns.js';

const turnsOf = (messages: Parameters<typeof turnsIn>[0]) => turnsIn(messages, 'ctx_1');

describe('withProgress', () => {
  it('adds text, tool calls and their outcomes to the steps', () => {
    const happened: MessageEvent[] = [
      { event: 'message.started', data: { agent: 'a', context_id: 'ctx_1', run_id: 'run_1' } },
      { event: 'message.delta', data: { step: 1, delta: 'Let me ' } },
      { event: 'message.delta', data: { step: 1, delta: 'look.' } },
      { event: 'tool.call', data: { step: 1, id: '1', tool: 'search', arguments: '{}' } },
      { event: 'tool.call', data: { step: 1, id: '2', tool: 'fetch', arguments: '{}' } },
      { event: 'tool.result', data: { step: 1, id: '2', tool: 'fetch', ok: false } },
      { event: 'tool.result', data: { step: 1, id: '1', tool: 'search', ok: true } },
      { event: 'message.delta', data: { step: 2, delta: 'Done.' } },
    ];
    expect(happened.reduce<Step[]>(withProgress, [])).toEqual([
      {
        text: 'Let me look.',
        tools: [
          { id: '1', tool: 'search', arguments: '{}', state: 'done' },
          { id: '2', tool: 'fetch', arguments: '{}', state: 'failed' },
        ],
      },
      { text: 'Done.', tools: [] },
    ]);
  });

  it('replaces the text and the calls of a step that another process repeats, and keeps the other steps', () => {
    const call = { step: 1, id: '1', tool: 'search', arguments: '{}' };
    const happened: MessageEvent[] = [
      { event: 'message.delta', data: { step: 1, delta: 'Let me look.' } },
      { event: 'tool.call', data: call },
      { event: 'message.delta', data: { step: 2, delta: 'It is a mi' } },
      { event: 'run.running', data: { taken_over: true } },
      { event: 'tool.call', data: call },
      { event: 'tool.result', data: { step: 1, id: '1', tool: 'search', ok: true } },
      { event: 'message.delta', data: { step: 2, delta: 'A mill ' } },
      { event: 'message.delta', data: { step: 2, delta: 'grinds.' } },
    ];
    expect(happened.reduce<Step[]>(withProgress, [])).toEqual([
      { text: 'Let me look.', tools: [{ id: '1', tool: 'search', arguments: '{}', state: 'done' }], isEarlier: true },
      { text: 'A mill grinds.', tools: [], isEarlier: false },
    ]);
  });
});

describe('turnsOf', () => {
  it('combines consecutive stored answers into one turn with steps', () => {
    const of = (id: string, role: 'user' | 'assistant', content: string, answer?: string | null) => ({
      id,
      role,
      content,
      timestamp: '2026-01-01T00:00:00.000Z',
      failed: false,
      run: null,
      images: [],
      tools: answer === undefined ? [] : [{ id: 'c', tool: 'search', arguments: '{}', answer, failed: false }],
    });
    const turns = turnsOf([of('1', 'user', 'Hi'), of('2', 'assistant', '', 'found'), of('3', 'assistant', 'Done.')]);
    expect(turns.map(({ role, steps }) => [role, steps])).toEqual([
      ['user', [{ text: 'Hi', tools: [] }]],
      [
        'assistant',
        [
          { text: '', tools: [{ id: 'c', tool: 'search', arguments: '{}', state: 'done', answer: 'found' }] },
          { text: 'Done.', tools: [] },
        ],
      ],
    ]);
    expect(turnsOf([of('2', 'assistant', '', null)])[0]?.steps[0]?.tools[0]?.state).toBe('running');
  });

  it('marks a message as failed when its run failed, and a tool call as failed when the call failed', () => {
    const at = { timestamp: '2026-01-01T00:00:00.000Z' };
    const call = { id: 'c', tool: 'search', arguments: '{}', answer: '{"error":"no"}', failed: true };
    const turns = turnsOf([
      { id: '1', role: 'user', content: 'Hi', failed: true, run: null, images: [], tools: [], ...at },
      { id: '2', role: 'assistant', content: '', failed: false, run: null, images: [], tools: [call], ...at },
    ]);
    expect(turns.map(({ failed, steps }) => [failed, steps[0]?.tools[0]?.state])).toEqual([
      [true, undefined],
      [undefined, 'failed'],
    ]);
  });

  it('assigns a run to the last turn of its exchange, whether or not the exchange has an answer', () => {
    const message = (id: string, role: 'user' | 'assistant', run?: 'completed' | 'waiting') => ({
      ...{ id, role, content: id, timestamp: '2026-01-01T00:00:00.000Z', failed: false, images: [], tools: [] },
      run:
        run === undefined
          ? null
          : {
              id: `run ${id}`,
              state: run,
              waiting_for: run === 'waiting' ? ('outcome' as const) : null,
              feedback: null,
            },
    });
    const messages = [message('1', 'user', 'completed'), message('2', 'assistant'), message('3', 'assistant')];
    const turns = turnsOf([...messages, message('4', 'user'), message('5', 'user', 'waiting')]);
    expect(turns.map(({ id, run }) => [id, run?.id, run?.state])).toEqual([
      ['1', undefined, undefined],
      ['2', 'run 1', 'completed'],
      ['4', undefined, undefined],
      ['5', 'run 5', 'waiting'],
    ]);
  });

  it("adds the images of a user's message to the user's turn, each with its path", () => {
    const image = { id: 'img_1', name: 'a.png', content_type: 'image/png' as const, size: 9, width: 4, height: 2 };
    const at = { timestamp: '2026-01-01T00:00:00.000Z', failed: false, run: null, tools: [] };
    const [asked, answered] = turnsOf([
      { id: '1', role: 'user', content: '', images: [image], ...at },
      { id: '2', role: 'assistant', content: 'A mill.', images: [], ...at },
    ]);
    expect(asked?.images).toEqual([
      {
        ...{ key: 'img_1', id: 'img_1', name: 'a.png', size: { width: 4, height: 2 } },
        path: '/api/v1/contexts/ctx_1/images/img_1',
      },
    ]);
    expect(answered).not.toHaveProperty('images');
  });
});
