// @ts-check
import { catalog, sentences } from './catalog.mjs';
import { credentials } from './credentials.mjs';
import { figuresOf } from './figures.mjs';
import { functionsFor } from './functions.mjs';
import { operation, totals } from './operation.mjs';
import { people } from './people.mjs';
import { prompts } from './prompts.mjs';
import { endRuns, insertPart, partsOf, prepareRuns } from './runs.mjs';
import { sealSecrets } from './seal-secrets.mjs';
import { starters } from './starters.mjs';
import { withoutIndexes } from './without-indexes.mjs';

/**
 * Fills a migrated database. The seals of the audit log and the sums of usage are missing then; `createFinisher` adds them. Uses one connection, and
 * transactions that each insert a bounded number of rows.
 *
 * @param {import('pg').Client} client of the owner of the tables
 * @param {{ scale: number, until: Date, secretsKeys: string, add: boolean, say: (line: string) => void }} options
 */
export async function writeSeed(client, { scale, until, secretsKeys, add, say }) {
  const figures = figuresOf(scale);
  await client.query("SET TIME ZONE 'UTC'; SET work_mem = '64MB'; SET jit = off");
  await client.query(functionsFor(until));
  const insert = () => insertAll(client, figures, secretsKeys, say);
  await (add ? insert() : withoutIndexes(client, say, insert));
  say('reading the tables for the planner (VACUUM ANALYZE)');
  await client.query('VACUUM (ANALYZE, PARALLEL 0)');
}

/**
 * @param {import('pg').Client} client @param {import('./figures.mjs').Figures} figures @param {string} secretsKeys
 * @param {(line: string) => void} say
 */
async function insertAll(client, figures, secretsKeys, say) {
  /** @param {() => Promise<unknown>} work */
  const atomically = async (work) => {
    await client.query('BEGIN');
    await work();
    await client.query('COMMIT');
  };
  await atomically(async () => {
    for (const [name, statements] of [
      ['sentences', sentences()],
      ['people', people(figures)],
      ['credentials', credentials(figures)],
      ['models, skills, MCP servers, content, files and agents', catalog(figures)],
      ['prompts', prompts(figures)],
      ['webhooks, triggers and budgets', starters(figures)],
      ['jobs and counts', operation(figures)],
    ]) {
      await client.query(String(statements));
      if (name !== 'sentences') say(`inserted ${name}`);
    }
    await sealSecrets(client, secretsKeys);
    await client.query(`CREATE INDEX ON seed_changes (at); ANALYZE seed_changes; ${prepareRuns(figures)}`);
  });
  for (const part of partsOf(figures)) {
    await atomically(async () => {
      for (const statements of insertPart(figures, part)) await client.query(statements);
    });
    say(`inserted ${part.end} of ${figures.runs} runs with their steps, messages, usage and audit rows`);
  }
  await atomically(() => client.query(endRuns + totals));
}
