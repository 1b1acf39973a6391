import { Option, type Command } from 'commander';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import { Listing } from '../readable.js';
import type { Builder, RunBuilder } from './builder.js';
import { limitOption, withQuery } from '../http/pages.js';
import { getRun, Run, watchRun } from './watch-run.js';

const Runs = z.object({ items: z.array(Run), next_cursor: z.string().nullable() });
const STATES = ['queued', 'running', 'waiting', 'completed', 'failed', 'canceled'];

interface ListOptions {
  limit: number;
  cursor?: string;
  agent?: string;
  prompt?: string;
  state?: string;
  since?: string;
}

export function runCommands(program: Command, run: RunBuilder): void {
  const runs = program.command('runs').description('Watch and cancel runs of agents and prompts');
  limitOption(runs.command('list').description('List runs, newest first'))
    .option('--cursor <cursor>', '"next_cursor" of the page before')
    .option('--agent <agent>', 'name or id of an agent')
    .option('--prompt <id>', 'id of a prompt')
    .addOption(new Option('--state <state>', 'state of the runs').choices(STATES))
    .option('--since <time>', 'runs started at this time or later, ISO 8601')
    .action(run(list));
  runs
    .command('show')
    .description('Show a run with its input and output')
    .argument('<run>', 'id')
    .action(run(({ connect }, _options, id) => getRun(connect().api, id)));
  runs
    .command('tail')
    .description('Follow a run until it has ended, over lost connections too')
    .argument('[run]', 'id (default: the latest run)')
    .action(run(tail));
  runs
    .command('cancel')
    .description('Cancel a run at whichever process executes it')
    .argument('<run>', 'id')
    .action(
      run(({ connect }, _options, id) =>
        connect().api.json(
          'runtime',
          `/api/v1/runs/${encodeURIComponent(id)}/cancel`,
          z.looseObject({ id: z.string() }),
          {
            method: 'POST',
          },
        ),
      ),
    );
}

async function list({ connect, terminal, asJson }: Builder, options: ListOptions): Promise<Listing> {
  const { limit, cursor, agent, prompt, state, since } = options;
  const path = withQuery('/api/v1/runs', { limit, cursor, agent, prompt, state, since });
  const { items, next_cursor } = await connect().api.json('runtime', path, Runs);
  const rows = items.map(({ id, state: current, subject, channel, queued_at, cost_usd, title }) => ({
    id,
    state: current,
    subject: subject.name,
    channel,
    queued_at,
    cost_usd,
    title: title === null || title.length <= 40 ? title : `${title.slice(0, 39)}…`,
  }));
  if (next_cursor !== null && !asJson) terminal.errors.write(`Earlier runs: --cursor ${next_cursor}\n`);
  return new Listing({ items, next_cursor }, rows);
}

async function tail(builder: Builder, _options: object, id?: string) {
  const { api } = builder.connect();
  return watchRun(builder, api, id ?? (await latestRun(api)), { tools: 'errors', waits: true });
}

async function latestRun(api: ReturnType<Builder['connect']>['api']): Promise<string> {
  const { items } = await api.json('runtime', '/api/v1/runs?limit=1', Runs);
  const [latest] = items;
  if (!latest) throw new CommandRefused('There is no run yet. Start one: millwright agents run <agent> <message>');
  return latest.id;
}
