import { requireAllowed, type Guards } from '@millwright/guards';
import type { ReadFile } from '../models/file-reader.js';
import type { HistoryMessage } from '../runs/fit-history.js';
import { guardMessages } from '../runs/split-messages.js';
import type { ResponseRequest } from './response-request.js';
import { inputMessages } from './to-run.js';

/**
 * Redacts a request for storage. Its messages are redacted too, except the user's last message, which the run checks.
 *
 * @throws GuardBlocked
 */
export async function guardRequest(
  guards: Guards,
  body: ResponseRequest,
  readFile: ReadFile,
): Promise<{ items: HistoryMessage[]; shown: ResponseRequest }> {
  const { prompt, instructions, metadata, user, safety_identifier, prompt_cache_key } = body;
  const sent = { instructions, metadata, user, safety_identifier, prompt_cache_key, variables: prompt?.variables };
  const given = requireAllowed(await guards.value('input', sent));
  const { variables, ...rest } = given;
  const items = await guardMessages(guards, await inputMessages(body.input, readFile));
  return { items, shown: { ...body, ...rest, ...(prompt && { prompt: { ...prompt, variables } }) } };
}
