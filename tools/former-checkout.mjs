// @ts-check
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root, toolEnvironment } from './workspace.mjs';

const run = promisify(execFile);
const git = async (/** @type {string[]} */ ...args) => (await run('git', args, { cwd: root })).stdout.trim();

/** Scope of the workspace's own packages. In a checkout of another commit, they are linked to the folders of that checkout. */
const OWN = '@millwright';

/**
 * As long as there is no release, the parent of the commit that added this migration is used as the former release.
 */
const FIRST_MIGRATION = 'prisma/migrations/20261126021800_images_and_items/migration.sql';

/**
 * Returns the commit that UPGRADE_FROM names; by default the commit of the newest release that is older than this commit.
 *
 * @returns {Promise<string>}
 */
export const formerCommit = async () =>
  process.env['UPGRADE_FROM'] ?? (await formerRelease()) ?? (await commitBefore(FIRST_MIGRATION));

/**
 * Returns the parent of the commit that added the file to the repository.
 *
 * @param {string} file
 * @returns {Promise<string>}
 */
export async function commitBefore(file) {
  const added = (await git('log', '--diff-filter=A', '--format=%H', '--', file)).split('\n').at(-1);
  if (!added) throw new Error(`The history has no commit that adds ${file}: name a former commit instead.`);
  return git('rev-parse', `${added}^`);
}

/**
 * Returns the tag of the newest release that is older than the current commit; undefined when there is none.
 *
 * @returns {Promise<string | undefined>}
 */
export async function formerRelease() {
  const tags = await git('tag', '--list', 'v*', '--merged', 'HEAD^', '--sort=-version:refname');
  return tags.split('\n')[0] || undefined;
}

/**
 * Checks another commit out in `folder`.
 *
 * @param {string} commit
 * @param {string} folder
 * @returns {Promise<{ folder: string, commit: string, remove: () => Promise<void> }>} `commit` is the commit's short name
 */
export async function checkOut(commit, folder) {
  // An earlier checkout may have been deleted without git. This removes git's record of it, which would prevent a new checkout in the folder.
  await git('worktree', 'prune');
  await git('worktree', 'add', '--detach', folder, commit);
  return {
    folder,
    commit: await git('rev-parse', '--short', commit),
    async remove() {
      rmSync(folder, { recursive: true, force: true });
      await git('worktree', 'prune');
    },
  };
}

/**
 * Builds projects of another commit in `folder`, with the packages that are installed here.
 *
 * @param {string} commit
 * @param {string} folder
 * @param {readonly string[]} projects
 * @returns {Promise<{ commit: string, remove: () => Promise<void> }>} the commit's short name
 * @throws {Error} when that commit cannot be built with these packages
 */
export async function buildCheckout(commit, folder, projects) {
  const checkout = await checkOut(commit, folder);
  try {
    linkPackages(folder);
    const nx = join(folder, 'node_modules/.bin/nx');
    // Variables of Nx are removed: when a task of Nx calls this function, they belong to that task's workspace.
    const own = Object.entries(toolEnvironment()).filter(([name]) => !name.startsWith('NX_'));
    const env = { ...Object.fromEntries(own), NX_DAEMON: 'false', NX_WORKSPACE_ROOT_PATH: folder };
    const args = [nx, 'run-many', '-t', 'build', '-p', projects.join(',')];
    await run(process.execPath, args, { cwd: folder, env, maxBuffer: 64 * 1024 ** 2 }).catch((failure) => {
      throw new Error(`${commit} cannot be built with the packages of today:\n${failure.stdout}${failure.stderr}`);
    });
    return checkout;
  } catch (failure) {
    await checkout.remove();
    throw failure;
  }
}

/** Links each installed package into the checkout, and the workspace's own packages to the checkout's folders. @param {string} folder */
function linkPackages(folder) {
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, OWN), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== OWN) symlinkSync(join(root, 'node_modules', name), join(packages, name));
  for (const group of ['apps', 'libs'])
    for (const name of readdirSync(join(folder, group))) {
      const home = join(folder, group, name);
      const { name: full } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
      symlinkSync(home, join(packages, full));
    }
}
