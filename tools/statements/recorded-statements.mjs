// @ts-check
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Matches the statements that are returned: those that read or change rows. Statements on pg-boss's tables are omitted, because pg-boss defines the
 * indexes of its tables.
 */
const READS_OR_CHANGES = /^\s*(select|insert|update|delete|with|merge)\b/i;
const OF_OTHERS = /\bpgboss\b|\bpg_|\binformation_schema\b/;

/**
 * Returns the statements of services that a run of tests wrote into a folder (`RECORD_STATEMENTS`), each once. Statements that differ only in the
 * number of their parameters count as one statement.
 *
 * @param {string} folder
 */
export function recordedStatements(folder) {
  /** @type {Map<string, string>} */
  const found = new Map();
  // There is no folder when all results of the services' tests came from the cache.
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (line === '') continue;
      /** @type {string} */
      const statement = JSON.parse(line);
      if (!READS_OR_CHANGES.test(statement) || OF_OTHERS.test(statement)) continue;
      const kind = statement.replace(/\$\d+(\s*,\s*\$\d+)+/g, '$').replace(/\(\$\)(\s*,\s*\(\$\))+/g, '($)');
      if (!found.has(kind)) found.set(kind, statement);
    }
  }
  return [...found.values()].sort();
}
