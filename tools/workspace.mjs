// @ts-check
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** The folder in which `npm start` stores its state between runs: `.millwright/`, or the folder that MILLWRIGHT_STATE names. */
export const stateFolder = resolve(root, process.env['MILLWRIGHT_STATE'] ?? '.millwright');

/** Folder of the programs that npm installed. Its `node` is Node 24. */
export const binFolder = join(root, 'node_modules', '.bin');

/** @param {string} name a program that npm installed */
export const bin = (name) => join(binFolder, name);

/** Returns the environment of every program that the tools start. Node 24 is first on PATH; Nx starts no daemon, and Prisma looks for no updates. */
export function toolEnvironment() {
  return {
    ...process.env,
    PATH: `${binFolder}:${process.env['PATH'] ?? ''}`,
    NX_DAEMON: 'false',
    NX_TUI: 'false',
    CHECKPOINT_DISABLE: '1',
  };
}
