// @ts-check

/** Numbers of rows at which each statement is planned. */
const FEW = 100_000;
const MANY = 10_000_000;
/**
 * Limit of the ratio between the costs for many and for few rows. A statement that uses an index costs little more, because the index has one more
 * level. A statement that reads a share of a table costs a hundred times as much.
 */
const MOST_RATIO = 3;
/** Cost, in the planner's unit, below which growth does not matter. Reading some thousand rows by an index has this cost. */
const LEAST_COST = 500;

/** @typedef {{ statement: string, costs: [number, number], plan: string }} Growing */
/** @typedef {{ 'Node Type': string, 'Relation Name'?: string, 'Index Name'?: string, 'Index Cond'?: string, Filter?: string, 'Total Cost': number, 'Plan Rows': number, Plans?: Plan[] }} Plan */

/**
 * Finds the statements whose cost grows with the tables that they read. Compares their plans for few and for many rows.
 *
 * @param {{ client: import('pg').Client, setRows: (rows: number) => Promise<void> }} database
 * @param {readonly string[]} statements with parameters, as services send them
 * @returns {Promise<{ growing: Growing[], unplanned: { statement: string, error: string }[] }>}
 */
export async function growingStatements({ client, setRows }, statements) {
  /** @type {Map<string, Plan>} */
  const few = new Map();
  /** @type {Growing[]} */
  const growing = [];
  const unplanned = [];
  await setRows(FEW);
  for (const statement of statements) {
    try {
      few.set(statement, await planOf(client, statement));
    } catch (error) {
      unplanned.push({ statement, error: /** @type {Error} */ (error).message });
    }
  }
  await setRows(MANY);
  for (const [statement, before] of few) {
    const after = await planOf(client, statement);
    const [least, most] = [before['Total Cost'], after['Total Cost']];
    if (most > LEAST_COST && most / least > MOST_RATIO) {
      growing.push({ statement, costs: [Math.round(least), Math.round(most)], plan: inLines(after) });
    }
  }
  return { growing, unplanned };
}

/** @param {import('pg').Client} client @param {string} statement @returns {Promise<Plan>} */
async function planOf(client, statement) {
  const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${withConstants(statement)}`);
  return rows[0]['QUERY PLAN'][0].Plan;
}

/**
 * Replaces some parameters by constants, because the planner needs their values: for an unknown limit it assumes a tenth of all rows, and for an
 * unknown pattern it uses no index.
 *
 * @param {string} statement
 */
function withConstants(statement) {
  return statement
    .replace(/\bLIMIT (\$\d+(::\w+)?|\(\$\d+(::\w+)?\))/gi, 'LIMIT 100')
    .replace(/\bOFFSET \$\d+/gi, 'OFFSET 100')
    .replace(/\bILIKE \$\d+/gi, "ILIKE '%quarterly%'")
    .replace(/\bLIKE \(\$\d+ \|\| '%'\)/gi, "LIKE 'quarterly%'");
}

/** @param {Plan} plan @returns {string} */
function inLines(plan, depth = 0) {
  const parts = [
    plan['Node Type'],
    plan['Relation Name'],
    plan['Index Name'],
    `cost ${Math.round(plan['Total Cost'])}, rows ${plan['Plan Rows']}`,
    plan['Index Cond'] && `index condition ${plan['Index Cond']}`,
    plan.Filter && `filter ${plan.Filter}`,
  ].filter((part) => part !== undefined);
  const below = (plan.Plans ?? []).map((child) => inLines(child, depth + 1));
  return [`${'  '.repeat(depth)}${parts.join(' ')}`, ...below].join('\n');
}
