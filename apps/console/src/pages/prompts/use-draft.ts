import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { askArea } from '../../api/areas.js';
import { currentProject } from '../../api/project.js';
import type { DraftResult } from '../../api/prompt-records.js';
import { draftOf, type PromptValues } from './prompt-fields.js';

const TYPING_PAUSE_MS = 400;

/** The server's rendering and findings for an unsaved prompt, fetched when typing pauses. */
export function useDraft(values: PromptValues) {
  const draft = draftOf(values);
  const [body] = useDebouncedValue(draft === undefined ? '' : JSON.stringify(draft), TYPING_PAUSE_MS);
  return useQuery({
    queryKey: ['prompt', 'v1', 'render', currentProject(), body],
    queryFn: ({ signal }) =>
      askArea<DraftResult>('prompt', 'POST', '/v1/render', body, {
        signal,
        headers: { 'content-type': 'application/json' },
      }),
    enabled: body !== '',
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    gcTime: 30_000,
  });
}
