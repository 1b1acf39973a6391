import { StreamInterruptedError } from '@millwright/sdk';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import type { Api } from './api.js';

const Data = z.looseObject({
  step: z.number().optional(),
  delta: z.string().optional(),
  tool: z.string().optional(),
  arguments: z.string().optional(),
  ok: z.boolean().optional(),
  waiting_for: z.string().nullish(),
  code: z.string().optional(),
});

export interface RunEvent {
  id: string;
  event: string;
  data: z.output<typeof Data>;
}

/** Yields the events of a run until the run ends: each event once, in order. When a connection ends early, another connection continues. */
export async function* followRun(api: Api, runId: string): AsyncGenerator<RunEvent, void, undefined> {
  try {
    for await (const { id = '', event, data } of api.client.runs.follow(runId))
      yield { id, event, data: Data.parse(data) };
  } catch (error) {
    if (error instanceof StreamInterruptedError)
      throw new CommandRefused(`The connection broke off too often. The run goes on: millwright runs tail ${runId}`, {
        kind: 'unreachable',
      });
    throw api.refusalOf('runtime', error);
  }
}
