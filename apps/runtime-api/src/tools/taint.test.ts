import type { Turn } from '../conversations/turn.js';
import { taintedFurther, taintOf, type RunTaint } from './taint.js';

const toolTurn = (source: string): Turn => ({ role: 'tool', content: 'x', callId: '1', untrusted: true, source });
const clean: RunTaint = { taintedBy: [] };

describe('taintOf', () => {
  it.each<[string, Turn[], boolean, string[]]>([
    ['nothing', [{ role: 'user', content: 'Hi' }], false, []],
    ['knowledge', [], true, ['knowledge']],
    ['tools that answered, each once', [toolTurn('mail'), toolTurn('web'), toolTurn('mail')], false, ['mail', 'web']],
    ['an earlier answer', [{ role: 'assistant', content: 'x', untrusted: true }], false, ['conversation']],
    ['a refusal of ours', [{ role: 'tool', content: 'x', untrusted: false, failed: true }], false, []],
  ])('names %s', (_what, turns, hasKnowledge, taintedBy) => {
    expect(taintOf(turns, hasKnowledge)).toEqual({ taintedBy });
  });

  it('keeps at most 16 names', () => {
    const turns = Array.from({ length: 40 }, (_, n) => toolTurn(`tool_${n}`));
    expect(taintedFurther(clean, turns).taintedBy).toHaveLength(16);
  });
});
