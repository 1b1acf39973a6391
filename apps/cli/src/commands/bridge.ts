import { hostname } from 'node:os';
import type { Command } from 'commander';
import { codeFromBrowser } from '../bridge/code-from-browser.js';
import { createBridgeClient } from '../bridge/bridge-client.js';
import { readCredential, writeCredential } from '../bridge/credential.js';
import { homeFolder } from '../files/home-folder.js';
import type { RunAnywhere } from './run.js';

interface LoginOptions {
  url: string;
  code?: string;
  name: string;
  browser: boolean;
}

export function bridgeCommands(program: Command, run: RunAnywhere): void {
  const bridge = program.command('bridge').description('Link this machine to your account. Needs no database.');
  bridge
    .command('login')
    .description('Link this machine in the browser, or with a code from your profile')
    .requiredOption('--url <base>', 'address of the console')
    .option('--code <code>', 'device-link code; no browser is needed')
    .option('--name <name>', 'name of this device', hostname())
    .option('--no-browser', 'print the address instead of opening the browser')
    .action(
      run(async ({ config, terminal }, { url, code, name, browser }: LoginOptions) => {
        const client = createBridgeClient(url);
        const link = code === undefined ? await codeFromBrowser(terminal, client.url, name, browser) : { code };
        const credential = await client.redeem({ ...link, deviceName: name });
        writeCredential(homeFolder(config), credential);
        return { url: client.url, device_name: name, expires_at: credential.expires_at };
      }),
    );
  bridge
    .command('token')
    .description('Print a token for the platform, runtime and prompt APIs (1 hour)')
    .action(
      run(({ config }) => {
        const credential = readCredential(homeFolder(config));
        return createBridgeClient(credential.url).mint(credential);
      }),
    );
}
