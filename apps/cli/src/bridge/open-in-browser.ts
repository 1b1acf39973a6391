import { spawn } from 'node:child_process';

/** Opens an address in the user's browser. A failure is ignored, because the caller prints the address too. */
export function openInBrowser(url: string): void {
  const commands: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
    darwin: ['open', url],
    win32: ['rundll32', 'url.dll,FileProtocolHandler', url],
  };
  const [command, ...args] = commands[process.platform] ?? ['xdg-open', url];
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
