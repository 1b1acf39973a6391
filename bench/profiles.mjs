// @ts-check
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../tools/workspace.mjs';

const FOLDER = join(root, 'bench/results/profiles');
const MOST = 25;
let isOn = false;

/**
 * Profiles every service that is started from now on, until it ends. Profiling slows a service down, so the figures of such a run must not be
 * compared with the goals.
 */
export function profileServices() {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  isOn = true;
}

/** Returns the options of Node that profile a service; none when profiling is off. @param {string} name */
export const profileOptions = (name) =>
  isOn ? ['--cpu-prof', `--cpu-prof-dir=${FOLDER}`, `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`] : [];

/** @typedef {{ callFrame: { functionName: string, url: string, lineNumber: number }, id: number }} Node */

/** Returns the functions with the most CPU time in each profile. The time of a function does not include the time of the functions that it calls. */
export function topFunctions() {
  return Object.fromEntries(
    readdirSync(FOLDER).map((file) => {
      /** @type {{ nodes: Node[], samples: number[], timeDeltas: number[] }} */
      const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
      const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
      /** @type {Map<string, number>} */
      const times = new Map();
      for (const [index, id] of samples.entries()) {
        const name = names.get(id) ?? '';
        times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0));
      }
      times.delete('(idle)');
      times.delete('(program)');
      const all = [...times.values()].reduce((sum, time) => sum + time, 0);
      const top = [...times].toSorted(([, a], [, b]) => b - a).slice(0, MOST);
      return [
        file,
        top.map(([name, time]) => ({ function: name, '% of its CPU': Number(((time / all) * 100).toFixed(1)) })),
      ];
    }),
  );
}

/** @param {Node['callFrame']} frame */
const nameOf = ({ functionName, url, lineNumber }) =>
  url === '' ? functionName : `${functionName || '(anonymous)'} ${basename(url)}:${lineNumber + 1}`;
