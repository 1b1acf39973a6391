// @ts-check
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/workspace.mjs';

/**
 * The settings of an app's image, read from the Dockerfile without an engine.
 *
 * @typedef {object} Image
 * @property {string[]} entrypoint
 * @property {string} user `uid:gid`
 * @property {string} workdir
 * @property {Record<string, string>} env
 */

const text = readFileSync(join(root, 'docker/Dockerfile'), 'utf8').replace(/\\\n\s*/g, '');

/** @param {string} [dockerfile] @returns its stages, each a list of instructions */
export function stagesOf(dockerfile = text) {
  const lines = dockerfile.replace(/\\\n\s*/g, '').split('\n');
  const instructions = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  /** @type {{ name: string, value: string }[][]} */
  const stages = [[]];
  for (const line of instructions) {
    const [, name = '', value = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, value });
  }
  return stages;
}

/** @param {string} name @returns {string} the value of the last instruction of that name in the last stage */
function last(name) {
  const found = stagesOf()
    .at(-1)
    ?.findLast((instruction) => instruction.name === name);
  if (!found) throw new Error(`The image has no ${name}.`);
  return found.value;
}

/** @returns {Image} */
export function readImage() {
  return {
    entrypoint: JSON.parse(last('ENTRYPOINT')),
    user: last('USER'),
    workdir: last('WORKDIR'),
    env: Object.fromEntries(
      [last('ENV')].map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
  };
}

/**
 * Makes a folder with the files that `/app` has after the build stage. Runs the commands of that stage that follow the build of the app.
 *
 * @param {string} app an app that is already built
 * @param {string} folder a path that does not exist yet
 */
export function writeImageFiles(app, folder) {
  const run = stagesOf()
    .flat()
    .find(({ name, value }) => name === 'RUN' && value.includes('run-many'))?.value;
  if (!run?.includes('&&')) throw new Error('The build stage copies nothing.');
  const commands = run.slice(run.indexOf('&&') + 2).replaceAll(/(?<=\s)\/app(?=[\s;/]|$)/g, folder);
  execFileSync('sh', ['-euc', commands], { cwd: root, env: { ...process.env, APP: app } });
}
