// @ts-check
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bin, root, stateFolder, toolEnvironment } from '../workspace.mjs';
import { addressesFrom, requireFreePorts } from './addresses.mjs';
import { banner } from './banner.mjs';
import { removeDatabase, startDatabase } from './database.mjs';
import { ensureFirstRecords } from './first-records.mjs';
import { modelNames } from './model-names.mjs';
import { createOperator } from './operator.mjs';
import { runQuietly } from './run-quietly.mjs';
import { defineServices } from './service-definitions.mjs';
import { createService, stopLeftovers } from './service.mjs';
import { createShutdown } from './shutdown.mjs';
import { StartFailure } from './start-failure.mjs';
import { takeStartLock } from './start-lock.mjs';
import { readJson, unlessFull, writeJson } from './state-files.mjs';

const apps = ['gateway', 'admin-auth', 'platform-api', 'runtime-api', 'prompt-api', 'cli'];
const platformFile = join(stateFolder, 'platform.json');
const pidFolder = join(stateFolder, 'pids');
/** Files and folders that a reset removes, in addition to the database. */
const remembered = ['platform.json', 'first-records.json', 'keys', 'files', 'logs', 'operator'];

/** @param {string} line */
const say = (line) => console.log(line);

/**
 * Starts everything, and runs until a signal ends it.
 *
 * @param {number} startedAt when the command began, in milliseconds since 1970
 */
export async function startPlatform(startedAt) {
  process.chdir(root);
  // The installation must continue to run when the terminal is closed, or when a pipe no longer reads its output.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const shutdown = createShutdown(say);
  try {
    await start(shutdown, startedAt);
  } catch (error) {
    if (shutdown.signal.aborted) return; // the shutdown that interrupted the start also ends the process
    await shutdown.stopAll();
    const { message, stack, exitCode } = /** @type {StartFailure} */ (error);
    console.error(error instanceof StartFailure ? message : stack);
    process.exit(exitCode ?? 1);
  }
}

/** @param {import('./shutdown.mjs').Shutdown} shutdown @param {number} startedAt */
async function start(shutdown, startedAt) {
  const startOver = isReset(process.argv.slice(2));
  const addresses = addressesFrom(process.env);
  // Other users may enter this folder but not list it, because the user `postgres` must reach its data in the folder.
  mkdirSync(stateFolder, { recursive: true, mode: 0o711 });
  const unlock = takeStartLock(join(stateFolder, 'start.pid'));
  shutdown.add({ stop: unlock });
  await stopLeftovers(pidFolder);
  await requireFreePorts(addresses);
  if (startOver) await reset();

  say('Building what has changed …');
  await build(shutdown.signal);

  const last = readJson(platformFile);
  const databaseUrl = process.env['DATABASE_URL'] || (await embeddedDatabase(shutdown, last?.database_url));
  say('Migrating the database …');
  const operator = createOperator({
    main: join(root, 'apps', 'cli', 'dist', 'main.js'),
    cwd: root,
    // MILLWRIGHT_HOME is another folder, so that these commands do not use the user's command-line sessions.
    env: {
      ...toolEnvironment(),
      DATABASE_URL: databaseUrl,
      MILLWRIGHT_HOME: join(stateFolder, 'start'),
      ...urlSettings(addresses),
    },
    signal: shutdown.signal,
  });
  await operator.run('db', 'migrate', '--jobs-owner');
  const firstRecords = await ensureFirstRecords(operator, join(stateFolder, 'first-records.json'));

  say('Starting the services …');
  const keyFolder = join(stateFolder, 'keys');
  const filesFolder = join(stateFolder, 'files');
  const { areas, gateway } = await defineServices({
    root,
    keyFolder,
    filesFolder,
    addresses,
    databaseUrl,
    env: process.env,
  });
  const platform = describe(addresses, firstRecords, [...areas, gateway], databaseUrl);
  await startServices({ areas, gateway, platform, shutdown });
  say(banner(platform, (Date.now() - startedAt) / 1000));
}

const USAGE = `Usage: npm start                  start the platform on this machine
       npm start -- --reset       start over: remove its data and keys first
       npm start -- --help        show this`;

/** @param {string[]} args */
function isReset(args) {
  if (args.includes('--help')) throw new StartFailure(USAGE, 0);
  const unknown = args.find((arg) => arg !== '--reset');
  if (unknown !== undefined) throw new StartFailure(`npm start has no option ${unknown}.\n${USAGE}`, 2);
  return args.length > 0;
}

async function reset() {
  say('Removing the data of earlier starts …');
  const own = Boolean(process.env['DATABASE_URL']);
  if (own)
    say(
      'DATABASE_URL names a database of your own: what is in it stays, and so do the keys it is encrypted with and its files.',
    );
  await removeDatabase(stateFolder);
  for (const name of remembered.filter((name) => !own || !['keys', 'files'].includes(name)))
    rmSync(join(stateFolder, name), { recursive: true, force: true });
}

/** @param {AbortSignal} signal */
async function build(signal) {
  const args = ['run-many', '-t', 'build', '-p', apps.join(','), '--output-style', 'static'];
  const { code, stdout, stderr } = await runQuietly(bin('nx'), args, { cwd: root, env: toolEnvironment(), signal });
  if (code !== 0) throw new StartFailure(`${stdout}${stderr}\nThe build failed: the lines above say why.`);
}

/** @param {import('./shutdown.mjs').Shutdown} shutdown @param {string} [lastUrl] */
async function embeddedDatabase(shutdown, lastUrl) {
  say('Starting PostgreSQL …');
  const database = await startDatabase(stateFolder, say, lastUrl);
  shutdown.add(database);
  return database.url;
}

/** @param {import('./addresses.mjs').Addresses} addresses */
function urlSettings({ base, runtime, promptApi }) {
  return { BASE_URL: base, RUNTIME_URL: runtime, PROMPT_API_URL: promptApi };
}

/**
 * Returns the content of platform.json. The `pid` of each service is 0 until its process has started.
 *
 * @param {import('./addresses.mjs').Addresses} addresses
 * @param {import('./first-records.mjs').FirstRecords} firstRecords
 * @param {import('./service-definitions.mjs').ServiceDefinition[]} definitions
 * @param {string} databaseUrl
 */
function describe({ base, runtime, promptApi }, firstRecords, definitions, databaseUrl) {
  const { REDIS_URL, MODEL_BASE_URL } = process.env;
  const names = modelNames(process.env);
  const services = definitions.map(({ name, url, adminUrl }) => [name, { url, admin_url: adminUrl, pid: 0 }]);
  return {
    base_url: base,
    runtime_url: runtime,
    prompt_api_url: promptApi,
    ...firstRecords,
    services: Object.fromEntries(services),
    database_url: databaseUrl,
    redis_url: REDIS_URL || null,
    model: { base_url: MODEL_BASE_URL || null, name: names[0] ?? 'offline', names },
  };
}

/**
 * Starts the services, and then the gateway when all services are ready. The shutdown stops them in the opposite order.
 *
 * @param {Awaited<ReturnType<typeof defineServices>> & { platform: ReturnType<typeof describe>, shutdown:
 *   import('./shutdown.mjs').Shutdown }} options
 */
async function startServices({ areas, gateway, platform, shutdown }) {
  let complete = false;
  const surroundings = {
    logFolder: join(stateFolder, 'logs'),
    pidFolder,
    say,
    /** @param {string} name @param {number} pid */
    started(name, pid) {
      platform.services[name].pid = pid;
      if (complete) unlessFull(() => writeJson(platformFile, platform), say);
    },
  };
  for (const group of [areas, [gateway]]) {
    shutdown.signal.throwIfAborted();
    const services = group.map((definition) => createService(definition, surroundings));
    shutdown.add({
      stop: () => Promise.all(services.map((service) => service.stop())),
      kill: () => services.forEach((service) => service.kill()),
    });
    await Promise.all(services.map((service) => service.start()));
  }
  complete = true;
  writeJson(platformFile, platform);
}
