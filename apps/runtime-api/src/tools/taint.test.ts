import type { Turn } from '../conversations/turn.js';
import { taintedFurther, taintOf, type RunTaint } from './taint.js';

const toolTurn = (source: string): Turn => ({ role: 'tool', content: 'x', callId: '1', untrusted: true, source });
const clean: RunTaint = { taintedBy: [] };

describe('the taint of a run', () => {
  it.each<[string, Turn[], string[], string[]]>([
    ['only a message of the user', [{ role: 'user', content: 'Hi' }], [], []],
    ['knowledge', [], ['knowledge'], ['knowledge']],
    [
      'a message of another system',
      [{ role: 'user', content: 'x', untrusted: true, source: 'trigger' }],
      [],
      ['trigger'],
    ],
    ['answers of tools, each tool once', [toolTurn('mail'), toolTurn('web'), toolTurn('mail')], [], ['mail', 'web']],
    [
      'an untrusted earlier answer of the agent',
      [{ role: 'assistant', content: 'x', untrusted: true }],
      [],
      ['conversation'],
    ],
    ['a refused call', [{ role: 'tool', content: 'x', untrusted: false, failed: true }], [], []],
  ])('names the untrusted sources of a run with %s', (_what, turns, sources, taintedBy) => {
    expect(taintOf(turns, sources)).toEqual({ taintedBy });
  });

  it('contains at most 16 source names', () => {
    const turns = Array.from({ length: 40 }, (_, n) => toolTurn(`tool_${n}`));
    expect(taintedFurther(clean, turns).taintedBy).toHaveLength(16);
  });
});
