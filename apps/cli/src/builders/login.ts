import { hostname } from 'node:os';
import type { Command } from 'commander';
import { z } from 'zod';
import { createBridgeClient } from '../bridge/bridge-client.js';
import { codeFromBrowser } from '../bridge/code-from-browser.js';
import { CommandRefused, EXIT } from '../command-refused.js';
import type { Api, ServiceName } from '../http/api.js';
import { findAddresses } from '../login/find-addresses.js';
import { chooseLogin, ENVIRONMENT, readLogins, writeLogins, type Login } from '../login/logins.js';
import { readSecret } from '../read-secret.js';
import { apiOf, type Builder, type RunBuilder } from './builder.js';

interface LoginOptions {
  url?: string;
  runtimeUrl?: string;
  promptUrl?: string;
  key?: true;
  code?: string;
  name: string;
  browser: boolean;
}

export function loginCommands(program: Command, run: RunBuilder): void {
  program
    .command('login')
    .description('Log in to an installation: in the browser, or with an API key')
    .option('--url <address>', 'address of the console (default: http://localhost:8080)')
    .option('--runtime-url <address>', 'address of the runtime API (default: the one that the installation names)')
    .option('--prompt-url <address>', 'address of the prompt API (default: the one that the installation names)')
    .option('--key', 'use an API key, read from standard input')
    .option('--code <code>', 'one-time code from your profile in the console; no browser is needed')
    .option('--name <name>', 'name of this device in the console', hostname())
    .option('--no-browser', 'print the address instead of opening the browser')
    .action(run(login));
  program
    .command('logout')
    .description('Forget the login on this machine. Revoke its key or device in the console.')
    .action(run(logout));
  program
    .command('status')
    .description('Show the login, its user, and whether each service answers')
    .action(run(status));
}

async function login(builder: Builder, options: LoginOptions): Promise<object> {
  const { config, terminal, profile = 'default' } = builder;
  if (profile === ENVIRONMENT) throw new CommandRefused(`Choose another profile name than "${ENVIRONMENT}".`);
  const addresses = await findAddresses({
    url: options.url ?? config.BASE_URL,
    runtime: options.runtimeUrl ?? config.RUNTIME_URL,
    prompt: options.promptUrl ?? config.PROMPT_API_URL,
  });
  const credential = options.key
    ? { key: await readSecret(terminal, 'API key') }
    : { device: await linkMachine(builder, addresses.base_url, options) };
  const fresh: Login = { ...addresses, ...credential };
  const api = apiOf(config, { name: profile, login: fresh, isStored: false });
  // Calls the platform API first. Its error codes distinguish a wrong key from missing rights, and those of the prompt API do not.
  await api.json('platform', '/api/v1/agents?per_page=1', z.unknown()).catch((error: unknown) => {
    if (!(error instanceof CommandRefused) || error.code !== 'forbidden') throw error;
  });
  const user = await whoAmI(api);
  const { logins } = readLogins(config);
  writeLogins(config, { current: profile, logins: { ...logins, [profile]: fresh } });
  return { profile, ...user, by: options.key ? 'key' : 'device', ...addresses };
}

async function linkMachine({ terminal }: Builder, url: string, { code, name, browser }: LoginOptions) {
  const client = createBridgeClient(url);
  const link = code === undefined ? await codeFromBrowser(terminal, client.url, name, browser) : { code };
  return client.redeem({ ...link, deviceName: name });
}

const Me = z.object({ user: z.object({ email: z.string(), project: z.string() }) });

async function whoAmI(api: Api): Promise<{ email: string; project: string }> {
  const { user } = await api.json('prompt', '/v1/user/me', Me);
  return { email: user.email, project: user.project };
}

function logout({ config, profile }: Builder): object {
  const { current, logins } = readLogins(config);
  const { name } = chooseLogin({ ...config, MILLWRIGHT_API_KEY: undefined }, profile);
  const rest = Object.fromEntries(Object.entries(logins).filter(([other]) => other !== name));
  writeLogins(config, { current: current === name ? (Object.keys(rest)[0] ?? null) : current, logins: rest });
  return { logged_out: name, profiles: Object.keys(rest) };
}

const PROBES = [
  ['platform', '/api/v1/agents?per_page=1'],
  ['runtime', '/api/v1/agents/registry?limit=1'],
  ['prompt', '/v1/prompt?limit=1'],
] as const;

/** The state of a service: `ok`, or why it cannot be used. */
type ServiceState = CommandRefused | 'ok';

async function probe(api: Api, service: ServiceName, path: string): Promise<ServiceState> {
  try {
    await api.json(service, path, z.unknown());
    return 'ok';
  } catch (error) {
    if (error instanceof CommandRefused) return error;
    throw error;
  }
}

/** Returns the state of every service. The exit code is that of the first service that cannot be used. */
async function status({ connect, config, terminal }: Builder): Promise<object> {
  const { api, chosen } = connect();
  const states: [ServiceName, ServiceState][] = await Promise.all(
    PROBES.map(async ([service, path]): Promise<[ServiceName, ServiceState]> => [
      service,
      await probe(api, service, path),
    ]),
  );
  const failed = states.flatMap(([, state]) => (state === 'ok' ? [] : [state]));
  terminal.exitCode = failed[0]?.exitCode ?? EXIT.done;
  const user = failed.length === 0 ? await whoAmI(api) : {};
  const { base_url, runtime_url, prompt_url, key } = chosen.login;
  return {
    profile: chosen.name,
    ...user,
    by: key === undefined ? 'device' : 'key',
    ...{ base_url, runtime_url, prompt_url },
    ...Object.fromEntries(states.map(([service, state]) => [service, state === 'ok' ? state : state.message])),
    profiles: Object.keys(readLogins(config).logins),
  };
}
