import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import { Listing } from '../readable.js';
import type { Builder, RunBuilder } from './builder.js';
import { findRecord, pageOption, withQuery } from '../http/pages.js';
import { readMessage } from './read-message.js';
import { Run, startRun, watchRun } from './watch-run.js';

const Agent = z.looseObject({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  status: z.string(),
  model: z.string().nullable(),
  published: z.boolean(),
  updated_at: z.string(),
});
const Agents = z.object({ items: z.array(Agent), total: z.number() });

interface RunOptions {
  context?: string;
  detach?: true;
}

export function agentCommands(program: Command, run: RunBuilder): void {
  const agents = program.command('agents').description('List agents and talk to them');
  pageOption(agents.command('list').description('List the agents of your project, by name'))
    .option('--search <text>', 'text in name or description')
    .action(run(list));
  agents
    .command('show')
    .description('Show an agent')
    .argument('<agent>', 'slug or id')
    .action(run(({ connect }, _options, agent) => find(connect().api, agent)));
  agents
    .command('run')
    .description('Send one message to an agent and print its answer as it is written')
    .argument('<agent>', 'slug of the agent')
    .argument('[message]', 'the message (default: standard input)')
    .option('--context <id>', 'conversation to continue')
    .option('--detach', 'print the run and do not wait for it')
    .action(run(runOnce));
  agents
    .command('chat')
    .description('Talk to an agent: a line is a message, an empty line or Ctrl+D ends')
    .argument('<agent>', 'slug of the agent')
    .option('--context <id>', 'conversation to continue')
    .action(run(chat));
}

async function list({ connect }: Builder, options: { limit: number; page: number; search?: string }): Promise<Listing> {
  const { page, limit: per_page, search } = options;
  const path = withQuery('/api/v1/agents', { page, per_page, search, sort: 'name', order: 'asc' });
  const { items, total } = await connect().api.json('platform', path, Agents);
  const rows = items.map(({ slug, name, status, model, published }) => ({ slug, name, status, model, published }));
  return new Listing({ items, total }, rows);
}

const find = (api: ReturnType<Builder['connect']>['api'], wanted: string) =>
  findRecord(
    api,
    { path: '/api/v1/agents', kind: 'agent', list: 'agents list', item: Agent },
    ({ id, slug }) => id === wanted || slug === wanted,
    wanted,
  );

async function runOnce(builder: Builder, { context, detach }: RunOptions, agent: string, message?: string) {
  const { api } = builder.connect();
  const content = await readMessage(builder.terminal, message);
  const run = await startRun(api, { agent, content, ...(context !== undefined && { context_id: context }) });
  if (detach) return run;
  return watchRun(builder, api, run.id, { tools: 'errors' });
}

async function chat(builder: Builder, { context }: RunOptions, agent: string): Promise<undefined> {
  const { terminal, connect, asJson } = builder;
  const { input, errors } = terminal;
  const { api } = connect();
  let context_id = context;
  const lines = createInterface({ input });
  const prompt = () => void (input.isTTY === true && errors.write('> '));
  prompt();
  for await (const line of lines) {
    if (line.trim() === '') break;
    const run = await startRun(api, { agent, content: line, ...(context_id !== undefined && { context_id }) });
    const result = await watchRun(builder, api, run.id, { tools: 'errors' });
    const ended = Run.parse(await api.json('runtime', `/api/v1/runs/${run.id}`, Run));
    if (asJson && result) terminal.output.write(`${JSON.stringify(result)}\n`);
    if (ended.context_id === null) throw new CommandRefused('The conversation was deleted.');
    context_id = ended.context_id;
    prompt();
  }
  lines.close();
  if (context_id !== undefined && !asJson)
    errors.write(`Continue: millwright agents chat ${agent} --context ${context_id}\n`);
  return undefined;
}
