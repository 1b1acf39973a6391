import { callArea } from './areas.js';
import { ApiError } from './client.js';
import { eventsOf } from './event-stream.js';

/** Events of a streamed run (prompt API). */
type RunEvent<Result> =
  | { event: 'chunk'; data: { choices: { delta: { content: string } }[] } }
  | { event: 'repair'; data: { warnings: string[] } }
  | { event: 'result'; data: Result }
  | { event: 'error'; data: { error: { code: string; message: string; status: number } } };

export interface RunFollower {
  onText: (delta: string) => void;
  /** Called when the server calls the model again. The function must discard the text that was received so far. */
  onRepair: (reasons: string[]) => void;
  signal: AbortSignal;
  /** Text that explains what happens to a run after its connection is lost. */
  lost: string;
}

/** Runs a prompt of the prompt API, and resolves with the result. @throws ApiError if the run fails or the connection is lost */
export async function streamRun<Result>(
  path: string,
  body: object,
  { onText, onRepair, signal, lost }: RunFollower,
): Promise<Result> {
  const answer = await callArea('prompt', 'POST', path, { body: { ...body, stream: true }, signal });
  if (!answer.body) throw new Error('There was no answer.');
  for await (const { event, data } of eventsOf(answer.body)) {
    const parsed: unknown = JSON.parse(data);
    const sent = { event, data: parsed } as RunEvent<Result>;
    if (sent.event === 'result') return sent.data;
    if (sent.event === 'error') {
      const { code, message, status } = sent.data.error;
      throw new ApiError(status, code, message, answer.headers.get('x-request-id'));
    }
    if (sent.event === 'repair') onRepair(sent.data.warnings);
    if (sent.event === 'chunk') onText(sent.data.choices[0]?.delta.content ?? '');
  }
  throw new ApiError(0, 'broken_off', lost);
}
