import type { Command } from 'commander';
import { createBridgeClient } from '../bridge/bridge-client.js';
import { loadBuilderConfig, type BuilderConfig } from '../builder-config.js';
import { createApi, type Api } from '../http/api.js';
import { chooseLogin, readLogins, writeLogins, type ChosenLogin } from '../login/logins.js';
import { fail, print } from '../output.js';
import { wantsJson, type Terminal } from '../terminal.js';

/** Functions and settings that a command for builders gets from the program. */
export interface Builder {
  terminal: Terminal;
  config: BuilderConfig;
  /** Name of the login, if the option `--profile` is set. */
  profile: string | undefined;
  /** Returns the API of the installation, and the chosen login. @throws CommandRefused without a login */
  connect: () => { api: Api; chosen: ChosenLogin };
  /** Whether the result is printed as JSON: standard output then contains only this JSON. */
  asJson: boolean;
}

/** The work of a command. Returns the result to print, or `undefined` when the task has printed it. */
export type BuilderTask<Options extends object = object> = (
  builder: Builder,
  options: Options,
  ...args: string[]
) => Promise<object | undefined> | object | undefined;

/** Converts a task to a commander action, which prints the result and sets the exit code. */
export type RunBuilder = <Options extends object>(
  task: BuilderTask<Options>,
) => (...received: unknown[]) => Promise<void>;

export function createRunBuilder(terminal: Terminal): RunBuilder {
  return <Options extends object>(task: BuilderTask<Options>) =>
    async (...received: unknown[]) => {
      const command = received.at(-1) as Command;
      const args = received
        .slice(0, -2)
        .flat()
        .filter((value) => typeof value === 'string');
      try {
        const result = await task(createBuilder(terminal, command), command.opts<Options>(), ...args);
        if (result) print(terminal, result, wantsJson(terminal));
      } catch (error) {
        terminal.exitCode = fail(terminal, error);
      }
    };
}

function createBuilder(terminal: Terminal, command: Command): Builder {
  const config = loadBuilderConfig(terminal.env);
  const { profile } = command.optsWithGlobals<{ profile?: string }>();
  return {
    terminal,
    config,
    profile,
    asJson: wantsJson(terminal),
    connect() {
      const chosen = chooseLogin(config, profile);
      return { chosen, api: apiOf(config, chosen) };
    },
  };
}

/** Creates the client for the installation of a login. */
export function apiOf(config: BuilderConfig, chosen: ChosenLogin): Api {
  return createApi({
    addresses: chosen.login,
    profile: chosen.name,
    credential: async () => chosen.login.key ?? (await gatewayToken(config, chosen)),
  });
}

/** Number of seconds before the expiry of a token at which a new token is requested. */
const RENEW_SECONDS = 60;

/** Returns the gateway token of a linked machine: the stored token or, shortly before its expiry, a new one. */
async function gatewayToken(config: BuilderConfig, { name, login, isStored }: ChosenLogin): Promise<string> {
  const now = Date.now() / 1_000;
  if (login.token && login.token.expires_at - RENEW_SECONDS > now) return login.token.value;
  if (!login.device) throw new Error(`The login ${name} has neither a key nor a device.`);
  const { access_token: value, expires_in } = await createBridgeClient(login.base_url).mint(login.device);
  login.token = { value, expires_at: now + expires_in };
  if (isStored) {
    const logins = readLogins(config);
    writeLogins(config, { ...logins, logins: { ...logins.logins, [name]: login } });
  }
  return value;
}
