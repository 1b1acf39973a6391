import type { Prompt } from '../../api/prompt-records.js';
import type { CurlCall } from '../../ui/curl-text.js';
import { skeletonOf } from '../mcp/skeleton.js';

/** Builds the API calls of a prompt. */
export function callsOf({ id, input }: Prompt): (CurlCall & { title: string })[] {
  const path = `/v1/prompt/${id}`;
  const structured_data = skeletonOf(input.schema, 'required');
  const body = { message: 'Hello', ...(Object.keys(structured_data).length > 0 && { structured_data }) };
  return [
    { title: 'Run the prompt', method: 'POST', path: `${path}/openai`, body },
    {
      title: 'Run the production version, streamed',
      method: 'POST',
      path: `${path}/openai`,
      body: { ...body, label: 'production', stream: true },
      options: '-N',
    },
    { title: 'Render the prompt without running it', method: 'POST', path, body },
    { title: 'Get the prompt', path },
  ];
}
