import type { AgentFields } from '../../api/platform-records.js';
import { parametersIn } from '../../ui/parameter-values.js';
import type { Candidate } from '../workbench/candidate.js';

/** Returns only the fields that the runtime API accepts for an unsaved agent. */
const draftOf = (fields: AgentFields): object =>
  Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => !SAVED_ONLY.has(field) && !(field === 'name' && value === '')),
  );
const SAVED_ONLY = new Set(['status', 'published']);

export interface DraftMessage {
  content: string;
  /** Slug of the agent that the draft changes. */
  agent: string | undefined;
  contextId: string | undefined;
}

/** Makes the request for a candidate's run; undefined while its version is not loaded. */
export function draftBody(
  { version, model, parameters }: Candidate,
  draft: AgentFields,
  saved: Partial<AgentFields> | undefined,
  { content, agent, contextId }: DraftMessage,
): object | undefined {
  // A version that was saved before a field existed lacks that field, so the draft's value is used.
  const chosen = version === null ? draft : saved && { ...draft, ...saved };
  return (
    chosen && {
      ...draftOf(chosen),
      ...(model !== '' && { model }),
      ...(parameters && { model_parameters: parametersIn(parameters) }),
      ...(agent !== undefined && { agent }),
      ...(contextId !== undefined && { context_id: contextId }),
      content,
    }
  );
}
