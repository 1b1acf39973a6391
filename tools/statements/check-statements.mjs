// @ts-check
import { startTemporaryPostgres } from '../temporary-postgres.mjs';
import { growingStatements } from './growing-statements.mjs';
import { isKnownGrowth } from './known-growth.mjs';
import { recordedStatements } from './recorded-statements.mjs';
import { createSizedDatabase } from './sized-database.mjs';

/**
 * Plans the statements that a run of tests recorded for few and for many rows. Prints the statements whose cost grows without a known
 * reason, and the statements without a plan.
 *
 * @param {string} folder
 * @returns {Promise<boolean>} whether it has printed no statement
 */
export async function checkStatements(folder) {
  const statements = recordedStatements(folder);
  const postgres = await startTemporaryPostgres({ autovacuum: 'off' });
  try {
    const database = await createSizedDatabase(postgres.url);
    const { growing, unplanned } = await growingStatements(database, statements);
    await database.client.end();
    const unknown = growing.filter((one) => !isKnownGrowth(one));
    for (const { statement, costs, plan } of unknown) {
      console.error(
        `\nThe cost of this statement grows with the tables that it reads, ${costs.join(' → ')}:\n${statement}\n\n${plan}`,
      );
    }
    for (const { statement, error } of unplanned)
      console.error(`\nThis statement has no plan (${error}):\n${statement}`);
    console.log(
      `${statements.length} statements: ${growing.length - unknown.length} grow for a known reason, ${unknown.length} for none, ${unplanned.length} have no plan.`,
    );
    return unknown.length + unplanned.length === 0;
  } finally {
    await postgres.stop();
  }
}
