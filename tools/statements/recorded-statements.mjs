// @ts-check
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** pg-boss owns its tables and their indexes. */
const READS_OR_CHANGES = /^\s*(select|insert|update|delete|with|merge)\b/i;
const OF_OTHERS = /\bpgboss\b|\bpg_|\binformation_schema\b/;

/**
 * The statements of services that a run of tests wrote into a folder (`RECORD_STATEMENTS`), each once. Those that differ in the number
 * of their parameters alone are one.
 *
 * @param {string} folder
 */
export function recordedStatements(folder) {
  /** @type {Map<string, string>} */
  const found = new Map();
  // Without a run of a service's tests, whose results may come from a cache, there is none.
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
