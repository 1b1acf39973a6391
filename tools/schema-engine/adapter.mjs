// @ts-check
import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import { parseIntoClientConfig } from 'pg-connection-string';

/** Type numbers in PostgreSQL: of "char", which its catalogue uses, and of blank-padded text, as which adapter-pg can read a "char". */
const CHAR = 18;
const BPCHAR = 1042;

/**
 * Changes two methods of the adapter. Columns of type "char", which adapter-pg does not support, are read as characters. A script is sent as a
 * whole, because adapter-pg splits it at every semicolon, also inside comments and functions.
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
  // The URL is parsed into settings: if pg got the URL, it would ignore `database` and connect to the real database instead of the shadow database.
  const config = /** @type {import('pg').PoolConfig} */ (url ? parseIntoClientConfig(url) : { host: 'none.invalid' });

  class MigrationAdapter extends PrismaPg {
    /** @override */
    async connect() {
      return corrected(await super.connect());
    }

    /**
     * Closes the connection to the shadow database before the database is dropped. adapter-pg would drop it while the connection is open.
     *
     * @override
     */
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
