import { newId } from '@millwright/db';
import type { Emit, EventWriter } from '@millwright/http';
import type { RunProgress } from './run.service.js';

/** Sends a run as server-sent events: chunks, at most one repair, and the result or an error. */
export function runEvents(emit: Emit): EventWriter & RunProgress {
  const chunk = { id: `chatcmpl-${newId()}`, object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1_000) };
  return {
    text: (content, model) =>
      emit({
        event: 'chunk',
        data: { ...chunk, model, choices: [{ index: 0, delta: { content }, finish_reason: null }] },
      }),
    repair: (faults) => emit({ event: 'repair', data: { warnings: faults } }),
    end: (result) => emit({ event: 'result', data: result }),
    fail: (failure) => emit({ event: 'error', data: failure }),
  };
}
