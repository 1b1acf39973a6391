import type { Command } from 'commander';
import { openInBrowser } from '../bridge/open-in-browser.js';
import type { RunBuilder } from './builder.js';

export function openCommand(program: Command, run: RunBuilder): void {
  program
    .command('open')
    .description('Open the console in the browser, and print its address')
    .argument('[page]', 'page of the console, such as runs or agents')
    .option('--no-browser', 'only print the address')
    .action(
      run(({ connect }, { browser }: { browser: boolean }, page = '') => {
        const path = page.split('/').filter(Boolean).map(encodeURIComponent).join('/');
        const url = `${connect().chosen.login.base_url}/admin/${path}`;
        if (browser) openInBrowser(url);
        return { url };
      }),
    );
}
