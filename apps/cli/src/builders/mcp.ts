import { readFileSync } from 'node:fs';
import { Argument, Option, type Command } from 'commander';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import type { Api } from '../http/api.js';
import { CLIENT_NAMES } from '../mcp-clients/clients.js';
import { connectClient } from '../mcp-clients/connect-client.js';
import { Listing } from '../readable.js';
import type { Builder, RunBuilder } from './builder.js';
import { findRecord, pageOption, withQuery } from '../http/pages.js';

const Server = z.looseObject({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  url: z.string(),
  status: z.string(),
  tools_count: z.number(),
  last_error: z.string().nullable(),
});
const Servers = z.object({ items: z.array(Server), total: z.number() });
const Tool = z.looseObject({ name: z.string(), description: z.string() });
const Tools = z.object({ items: z.array(Tool), total: z.number() });
const Quarantined = z.object({ items: z.array(z.looseObject({ name: z.string(), reason: z.string() })) });

/** The built-in server, which every installation has. */
const BUILT_IN = 'platform';

interface AddOptions {
  description?: string;
  header: string[];
  auth: 'none' | 'agent_token' | 'user';
}

export function mcpCommands(program: Command, run: RunBuilder): void {
  const mcp = program.command('mcp').description('Register MCP servers, and connect MCP clients');
  pageOption(mcp.command('list').description('List the registered servers by name')).action(run(list));
  mcp
    .command('add')
    .description('Register a server. Its tools found now are approved.')
    .argument('<name>', 'name of the server')
    .argument('<url>', 'address of its MCP endpoint')
    .option('--description <text>', 'what the server is for')
    .option('--header <name=@file>', 'header of each request, its value read from a file; may be repeated', collect, [])
    .addOption(
      new Option('--auth <kind>', 'agent_token: a token for each call; user: each user signs in there')
        .choices(['none', 'agent_token', 'user'])
        .default('none'),
    )
    .action(run(add));
  mcp
    .command('tools')
    .description('List the tools of a server, and those that wait for review')
    .argument('<server>', 'name, slug or id')
    .option('--refresh', 'read the tools from the server first')
    .action(run(tools));
  mcp
    .command('connect')
    .description('Add a server of this installation to the configuration of an MCP client, after showing the change')
    .addArgument(new Argument('<client>', 'MCP client').choices(CLIENT_NAMES))
    .argument('[server]', 'slug of a registered server (default: the built-in one)', BUILT_IN)
    .option('--name <name>', 'name of the server in the client (default: millwright, or millwright-<server>)')
    .option('--project', 'configure the folder that you are in, not your account')
    .option('--file <path>', "configuration file (default: the client's own)")
    .option('--yes', 'do not ask')
    .action(run(connect));
}

const collect = (value: string, values: string[]): string[] => [...values, value];

async function list({ connect: login }: Builder, { limit: per_page, page }: { limit: number; page: number }) {
  const path = withQuery('/api/v1/mcp/servers', { page, per_page, sort: 'name', order: 'asc' });
  const { items, total } = await login().api.json('platform', path, Servers);
  const rows = items.map(({ slug, status, tools_count: count, url, last_error }) => ({
    slug,
    status,
    tools: count,
    url,
    last_error,
  }));
  return new Listing({ items, total }, rows);
}

const findServer = (api: Api, wanted: string) =>
  findRecord(
    api,
    { path: '/api/v1/mcp/servers', kind: 'MCP server', list: 'mcp list', item: Server },
    ({ id, slug, name }) => [id, slug, name].includes(wanted),
    wanted,
  );

function add({ connect: login }: Builder, { description, header, auth }: AddOptions, name: string, url: string) {
  const body = {
    name,
    url,
    ...(description !== undefined && { description }),
    ...(header.length > 0 && { headers: Object.fromEntries(header.map(headerOf)) }),
    ...(auth !== 'none' && { auth: { type: auth } }),
  };
  return login().api.json('platform', '/api/v1/mcp/servers', Server, { method: 'POST', body });
}

/** Parses `Name=@file`. The value comes from a file, because other users of the machine see arguments. */
function headerOf(text: string): [string, string] {
  const [, name = '', file] = /^([^=\s]+)=@(.+)$/.exec(text) ?? [];
  if (file === undefined)
    throw new CommandRefused('--header: write Name=@file. Other users of this machine see the arguments of commands.', {
      kind: 'usage',
    });
  try {
    return [name, readFileSync(file, 'utf8').trim()];
  } catch (error) {
    throw new CommandRefused(`--header ${name}: ${file} cannot be read.`, { kind: 'usage', cause: error });
  }
}

async function tools({ connect: login }: Builder, { refresh }: { refresh?: true }, wanted: string): Promise<Listing> {
  const { api } = login();
  const { id } = await findServer(api, wanted);
  const path = `/api/v1/mcp/servers/${encodeURIComponent(id)}`;
  if (refresh) await api.json('platform', `${path}/refresh`, Server, { method: 'POST' });
  const [{ items, total }, quarantined] = await Promise.all([
    api.json('platform', `${path}/tools?per_page=100`, Tools),
    api.json('platform', `${path}/tools/quarantined?per_page=100`, Quarantined),
  ]);
  const rows = [
    ...items.map(({ name, description }) => ({ tool: name, state: 'available', description: firstLine(description) })),
    ...quarantined.items.map(({ name, reason }) => ({ tool: name, state: `${reason}: review it`, description: null })),
  ];
  return new Listing({ items, total, quarantined: quarantined.items }, rows);
}

const firstLine = (text: string): string => {
  const [line = ''] = text.split('\n');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
};

interface ConnectOptions {
  name?: string;
  project?: true;
  file?: string;
  yes?: true;
}

async function connect(builder: Builder, options: ConnectOptions, client: string, server = BUILT_IN): Promise<object> {
  const { chosen, api } = builder.connect();
  const slug = server === BUILT_IN ? BUILT_IN : (await findServer(api, server)).slug;
  const name = options.name ?? (slug === BUILT_IN ? 'millwright' : `millwright-${slug}`);
  const url = `${chosen.login.runtime_url}/api/v1/mcp/${encodeURIComponent(slug)}/mcp`;
  return connectClient(builder, {
    client,
    entry: { name, url },
    isProject: options.project === true,
    file: options.file,
    yes: options.yes === true,
  });
}
