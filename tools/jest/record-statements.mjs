// @ts-check
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Matches the options or the user of a connection with a service's role. Tests use other connections to prepare and read data. */
const OF_SERVICE = /(role=millwright|^pooled)_(platform_api|runtime_api|prompt_api|admin_auth)/;

/**
 * Records the text of each statement that services send within this process, each text once, in a file of the folder.
 *
 * @param {string} folder
 * @returns {(testFile: string) => void} a function that must be called with each test file. Only statements in tests of services are recorded,
 *   because tests of libs also send statements that are refused
 */
export function recordStatements(folder) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}.jsonl`);
  /** @type {Set<string>} */
  const known = new Set();
  const prototype = /** @type {{ query: (...given: unknown[]) => unknown }} */ (
    /** @type {unknown} */ (pg.Client.prototype)
  );
  let isService = false;
  const { query } = prototype;
  prototype.query = function (...given) {
    const [statement] = given;
    const text = typeof statement === 'string' ? statement : /** @type {{ text?: string }} */ (statement)?.text;
    const { connectionParameters: of } = /** @type {{ connectionParameters?: { options?: string, user?: string } }} */ (
      this
    );
    if (isService && text !== undefined && !known.has(text) && OF_SERVICE.test(of?.options ?? of?.user ?? '')) {
      known.add(text);
      appendFileSync(file, `${JSON.stringify(text)}\n`);
    }
    return query.apply(this, given);
  };
  return (testFile) => {
    isService = testFile.includes('/apps/');
  };
}
