// @ts-check
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** What a local start keeps between runs: `.millwright/`, for its owner only. */
export const stateFolder = join(root, '.millwright');

/** The programs npm installed: `node` there is Node 24. */
export const binFolder = join(root, 'node_modules', '.bin');

/** @param {string} name a program npm installed */
export const bin = (name) => join(binFolder, name);

/** The environment for everything the tools start: Node 24 first, Nx and Prisma quiet and offline. */
export function toolEnvironment() {
  return {
    ...process.env,
    PATH: `${binFolder}:${process.env['PATH'] ?? ''}`,
    NX_DAEMON: 'false',
    NX_TUI: 'false',
    CHECKPOINT_DISABLE: '1',
  };
}
