import { requireAllowed, type Guards } from '@millwright/guards';
import type { HistoryMessage } from '../runs/fit-history.js';
import type { ResponseRequest } from './response-request.js';
import { splitInput } from './to-run.js';

/** Redacts a request for storage, and its earlier messages; the run checks the user's newest message. @throws GuardBlocked */
export async function guardRequest(
  guards: Guards,
  body: ResponseRequest,
): Promise<{ earlier: HistoryMessage[]; shown: ResponseRequest }> {
  const { prompt, instructions, metadata, user, safety_identifier, prompt_cache_key } = body;
  const { variables } = prompt;
  const sent = { instructions, metadata, user, safety_identifier, prompt_cache_key, variables };
  const given = requireAllowed(await guards.value('input', sent));
  const { variables: shownVariables, ...rest } = given;
  const earlier: HistoryMessage[] = [];
  for (const { role, content } of splitInput(body.input).earlier)
    earlier.push({ role, content: requireAllowed(await guards.text('input', content)) });
  return { earlier, shown: { ...body, ...rest, prompt: { ...prompt, variables: shownVariables } } };
}
