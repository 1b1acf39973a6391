// @ts-check
import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import { parseIntoClientConfig } from 'pg-connection-string';

/** PostgreSQL's internal "char", which its catalogue uses, and the blank-padded text as which adapter-pg may read it. */
const CHAR = 18;
const BPCHAR = 1042;

/**
 * Reads columns of type "char", which adapter-pg does not map, as characters. Sends a script as a whole, because adapter-pg cuts it
 * at every semicolon, also inside comments and functions.
 *
 * @param {any} adapter
 */
function corrected(adapter) {
  /** @type {WeakMap<object, number[]>} */
  const charColumns = new WeakMap();
  const performIO = adapter.performIO.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.performIO = async (/** @type {unknown} */ query) => {
    const result = await performIO(query);
    const fields = /** @type {{ dataTypeID: number }[]} */ (result.fields ?? []);
    charColumns.set(
      result.rows,
      [...fields.keys()].filter((index) => fields[index]?.dataTypeID === CHAR),
    );
    for (const field of fields) if (field.dataTypeID === CHAR) field.dataTypeID = BPCHAR;
    return result;
  };
  adapter.queryRaw = async (/** @type {unknown} */ query) => {
    const result = await queryRaw(query);
    for (const index of charColumns.get(result.rows) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  adapter.executeScript = async (/** @type {string} */ script) => {
    await adapter.client.query(script).catch(adapter.onError.bind(adapter));
  };
  return adapter;
}

/** Connects the engine to a database, and to the shadow database in which it runs migrations. @param {string | undefined} url */
export function createMigrationAdapter(url) {
  // Use settings, not a URL: with a URL, pg would connect to the real database instead of the shadow database.
  const config = /** @type {import('pg').PoolConfig} */ (url ? parseIntoClientConfig(url) : { host: 'none.invalid' });

  class MigrationAdapter extends PrismaPg {
    /** @override */
    async connect() {
      return corrected(await super.connect());
    }

    /** adapter-pg drops its shadow database while its connection is still open; this function closes the connection first. @override */
    async connectToShadowDb() {
      const database = `shadow_${randomUUID()}`;
      const main = await super.connect();
      await main.executeScript(`CREATE DATABASE "${database}"`);
      const shadow = corrected(await new PrismaPg({ ...config, database }).connect());
      const dispose = shadow.dispose.bind(shadow);
      shadow.dispose = async () => {
        await dispose();
        await main.executeScript(`DROP DATABASE "${database}" WITH (FORCE)`);
        await main.dispose();
      };
      return shadow;
    }
  }
  return new MigrationAdapter(config);
}
