// @ts-check
import { freePorts } from '../../tools/ports.mjs';
import { askJson } from '../ask.mjs';
import { queryOnce } from '../databases.mjs';
import { startInstallation } from '../installation.mjs';
import { anyOf, measureLoad } from '../load.mjs';
import { asMissing } from '../peers.mjs';
import { startDirectus, startParseServer } from '../peers/start-peers.mjs';
import { startProgram } from '../processes.mjs';
import { inRounds, ratios, roundsTable } from '../rounds.mjs';
import { seedSkills } from '../seed-skills.mjs';

/**
 * @typedef {import('../run.mjs').Context} Context
 * @typedef {import('../run.mjs').Outcome} Outcome
 * @typedef {{ url: string, pids: number[], headers: Record<string, string>, path: () => string }} Asked
 */

const CLIENTS = 32;
const SKILLS = 1_000;
const PAGE = 100;

/** Starts an installation with skills. @param {Context} context @param {string} name of the database */
export async function startWithSkills({ servers }, name) {
  const installation = await startInstallation(servers, name);
  await seedSkills(installation.databaseUrl, SKILLS);
  const headers = { authorization: `Bearer ${installation.apiKey}` };
  /** @type {string[]} */
  const ids = [];
  for (let page = 1; page <= SKILLS / PAGE; page += 1) {
    const url = `${installation.url}/api/v1/skills?per_page=${PAGE}&page=${page}`;
    const { items } = await askJson('GET', url, headers);
    for (const { id } of items) ids.push(id);
  }
  const aSkill = () => `/api/v1/skills/${anyOf(ids)}`;
  return { ...installation, asked: { url: installation.url, pids: [installation.pid], headers, path: aSkill } };
}

/** Makes a function for `inRounds` that measures GET requests. @param {Context} context @param {Asked} asked @param {number} [clients] */
export const measureGets =
  ({ seconds }, { url, pids, headers, path }, clients = CLIENTS) =>
  (/** @type {boolean} */ isWarming) =>
    measureLoad(pids, {
      ...{ url, connections: clients, seconds: isWarming ? Math.min(seconds, 3) : seconds },
      asked: [{ method: 'GET', path, headers }],
    });

/** Measures goals P1 to P3: reads of a skill by its id, and of a list of skills. @param {Context} context @returns {Promise<Outcome>} */
export async function measureSkills(context) {
  const ours = await startWithSkills(context, 'skills');
  const stops = [ours.stop];
  /** @type {Outcome['rows']} */
  const rows = {};
  /** @type {Outcome['tables']} */
  const tables = {};
  try {
    const sides = { ours: ours.asked, ...(await othersThatReadOne(context, ours, rows, stops)) };
    if (sides.bare || sides.parse) {
      const rounds = await inRounds(
        mapped(sides, (asked) => measureGets(context, asked)),
        context.rounds,
      );
      if (sides.bare) rows['P1'] = { cpu: ratios(rounds, 'cpu', 'ours', 'bare') };
      if (sides.parse)
        rows['P2'] = {
          cpu: ratios(rounds, 'cpu', 'ours', 'parse'),
          perSecond: ratios(rounds, 'perSecond', 'ours', 'parse'),
        };
      tables['P1, P2: a skill by id'] = roundsTable(rounds, ['cpu', 'perSecond', 'p99']);
    }
    if (context.wants('P3')) Object.assign(tables, await besideDirectus(context, ours, rows, stops));
    return { rows, tables };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/**
 * @param {Context} context @param {Awaited<ReturnType<typeof startWithSkills>>} ours
 * @param {Outcome['rows']} rows @param {(() => Promise<void>)[]} stops
 */
async function othersThatReadOne(context, { databaseUrl, asked }, rows, stops) {
  /** @type {{ bare?: Asked, parse?: Asked }} */
  const others = {};
  if (context.wants('P1')) {
    const [port = 0] = await freePorts(1);
    const bare = await startProgram('peers/bare', port, databaseUrl);
    stops.push(bare.stop);
    /** @type {{ id: string }[]} */
    const stored = await queryOnce(databaseUrl, 'SELECT id FROM skills');
    const path = () => `/${anyOf(stored).id}`;
    others.bare = { url: `http://127.0.0.1:${port}`, pids: [bare.pid], headers: asked.headers, path };
  }
  if (context.wants('P2')) {
    const parse = await asMissing(startParseServer(context.servers.TEST_DATABASE_URL));
    if ('reason' in parse) rows['P2'] = parse;
    else {
      stops.push(parse.stop);
      others.parse = { ...parse, pids: [parse.pid], path: () => `/parse/classes/Skill/${anyOf(parse.ids)}` };
    }
  }
  return others;
}

/**
 * @param {Context} context @param {Awaited<ReturnType<typeof startWithSkills>>} ours
 * @param {Outcome['rows']} rows @param {(() => Promise<void>)[]} stops
 */
async function besideDirectus(context, { asked }, rows, stops) {
  const directus = await asMissing(startDirectus(context.servers.TEST_DATABASE_URL));
  if ('reason' in directus) {
    rows['P3'] = directus;
    return {};
  }
  stops.push(directus.stop);
  const theirs = { ...directus, pids: [directus.pid] };
  const sides = {
    'ours, one': asked,
    'Directus, one': { ...theirs, path: () => `/items/skills/${anyOf(directus.ids)}` },
    'ours, list': { ...asked, path: () => '/api/v1/skills?per_page=20' },
    'Directus, list': { ...theirs, path: () => '/items/skills?limit=20&meta=total_count' },
  };
  const rounds = await inRounds(
    mapped(sides, (one) => measureGets(context, one)),
    context.rounds,
  );
  rows['P3'] = {
    one: ratios(rounds, 'cpu', 'ours, one', 'Directus, one'),
    list: ratios(rounds, 'cpu', 'ours, list', 'Directus, list'),
  };
  return { 'P3: one and a list of 20': roundsTable(rounds, ['cpu', 'perSecond', 'p99']) };
}

/** @template From, To @param {Record<string, From>} record @param {(value: From) => To} map @returns {Record<string, To>} */
const mapped = (record, map) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
