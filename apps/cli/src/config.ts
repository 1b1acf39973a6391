import { field, parseConfig } from '@millwright/config';
import { databaseConfig } from '@millwright/db';
import { z } from 'zod';

const files = {
  /** Folder of the operator's own files: profiles and the bridge's credential. `~/.config/millwright` when left out. */
  MILLWRIGHT_HOME: z.string().optional(),
};
/** What runs on anyone's machine, without the database. */
const BridgeConfig = z.object(files);
export type BridgeConfig = Readonly<z.output<typeof BridgeConfig>>;

const Config = z.object({
  ...databaseConfig,
  ...files,
  /** Where the links that commands print point to. */
  BASE_URL: field.baseUrl().default('http://localhost:8080'),
  /** Folder of the migrations, where they do not lie beside the program. */
  MIGRATIONS_DIR: z.string().optional(),
  /** Email of the admin who answers for scheduled jobs: `db migrate` makes the account where there is none. */
  JOBS_OWNER: z.string().optional(),
  /** Folder in which `signing-keys rotate` replaces the key files of the services. */
  KEY_FOLDER: z.string().optional(),
});
export type Config = Readonly<z.output<typeof Config>>;

export const loadBridgeConfig = (env: NodeJS.ProcessEnv): BridgeConfig => parseConfig(BridgeConfig, env);

export const loadConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Config, env);
