// @ts-check
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of Linux control groups, and the files in them that set the memory limit: for version 2, and for version 1. */
const KINDS = [
  { folder: '/sys/fs/cgroup', limit: 'memory.max' },
  { folder: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
];

/**
 * Makes a control group with a memory limit, as a container has. Node sizes its heap by that limit.
 *
 * @param {string} name
 * @param {number} bytes
 * @returns {{ enter: string[], remove: () => void } | undefined} `enter` is the start of a command that runs another command in the group;
 *   `undefined` where this user may not make control groups
 */
export function limitMemory(name, bytes) {
  for (const { folder, limit } of KINDS) {
    const group = join(folder, `millwright-${process.pid}-${name}`);
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    const remove = () => rmdirSync(group);
    // The kernel creates this file in a new group only if groups of this version can limit memory.
    if (!existsSync(join(group, limit))) {
      remove();
      continue;
    }
    writeFileSync(join(group, limit), String(bytes));
    return { enter: ['sh', '-c', `echo $$ > ${join(group, 'cgroup.procs')}; exec "$@"`, 'sh'], remove };
  }
  return undefined;
}
