import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import type { Api } from '../http/api.js';
import { followRun, type RunEvent } from '../http/follow-run.js';
import { printable, printableLines } from '../readable.js';
import type { Builder } from './builder.js';

export const Run = z.looseObject({
  id: z.string(),
  state: z.string(),
  waiting_for: z.string().nullable(),
  subject: z.looseObject({ kind: z.string(), name: z.string(), version: z.number().nullable() }),
  channel: z.string(),
  title: z.string().nullable(),
  context_id: z.string().nullable(),
  queued_at: z.string(),
  ended_at: z.string().nullable(),
  cost_usd: z.number().nullable(),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  output: z.string().nullish(),
});
export type Run = z.output<typeof Run>;

export interface NewRun {
  agent: string;
  content: string;
  context_id?: string;
}

export const startRun = (api: Api, body: NewRun): Promise<Run> =>
  api.json('runtime', '/api/v1/runs', Run, { method: 'POST', body });

export const getRun = (api: Api, id: string): Promise<Run> =>
  api.json('runtime', `/api/v1/runs/${encodeURIComponent(id)}`, Run);

export interface WatchOptions {
  /** Where tool calls are printed: on standard error. With `--json`, they are not printed. */
  tools: 'errors';
  /** Whether to keep following a run that waits for a person. */
  waits?: boolean;
}

/**
 * Prints the answer of a run while the answer is written. With `--json`, prints only the run after its end.
 * @throws CommandRefused when the run failed, was canceled or waits for a person
 */
export async function watchRun(
  { terminal: { output, errors }, asJson }: Builder,
  api: Api,
  id: string,
  { waits = false }: WatchOptions,
): Promise<Run | undefined> {
  let written = '';
  for await (const { event, data } of followRun(api, id)) {
    if (!asJson && event === 'message.delta') {
      written += data.delta ?? '';
      output.write(printableLines(data.delta ?? ''));
    }
    if (!asJson && event !== 'message.delta') {
      if (written !== '' && !written.endsWith('\n')) output.write('\n');
      written = '';
      const note = noteOf({ event, data });
      if (note !== undefined) errors.write(`${note}\n`);
    }
    if (event === 'run.waiting' && !waits) break;
  }
  const run = await getRun(api, id);
  if (run.state === 'completed') return asJson ? run : undefined;
  throw endOf(run);
}

function noteOf({ event, data }: Pick<RunEvent, 'event' | 'data'>): string | undefined {
  if (event === 'tool.call') return `→ ${printable(`${data.tool ?? ''} ${data.arguments ?? ''}`).slice(0, 500)}`;
  if (event === 'tool.result') return `← ${printable(data.tool ?? '')} ${data.ok === false ? 'failed' : 'ok'}`;
  if (event === 'run.waiting') return `The run waits for ${data.waiting_for ?? 'a person'}.`;
  return undefined;
}

function endOf(run: Run): CommandRefused {
  const detail = { run };
  if (run.state === 'failed')
    return new CommandRefused(`The run ${run.id} failed: ${run.error?.message ?? 'no reason is known'}`, {
      code: run.error?.code ?? 'run_failed',
      detail,
    });
  if (run.state === 'canceled')
    return new CommandRefused(`The run ${run.id} was canceled.`, { code: 'run_canceled', detail });
  const reason = run.waiting_for === null ? '' : ` for ${run.waiting_for}`;
  return new CommandRefused(
    `The run ${run.id} is ${run.state}${reason}. Decide it in the console (millwright open runs), then: millwright runs tail ${run.id}`,
    { kind: 'waiting', detail },
  );
}
