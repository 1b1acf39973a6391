import { field, parseConfig } from '@millwright/config';
import { z } from 'zod';

/** Settings of the commands that need no database. All are optional, because `millwright login` stores them, too. */
export const builderSettings = {
  /** Folder of the user's own files: logins, profiles and the bridge's credential. Default: `~/.config/millwright`. */
  MILLWRIGHT_HOME: z.string().optional(),
  /** API key that the commands of builders use instead of a login. */
  MILLWRIGHT_API_KEY: z.string().optional(),
  /** Name of the login that commands use. Default: the login that `millwright login` stored last. */
  MILLWRIGHT_PROFILE: z.string().optional(),
  RUNTIME_URL: field.baseUrl().optional(),
  PROMPT_API_URL: field.baseUrl().optional(),
};

const BuilderConfig = z.object({ ...builderSettings, BASE_URL: field.baseUrl().optional() });
export type BuilderConfig = Readonly<z.output<typeof BuilderConfig>>;

export const loadBuilderConfig = (env: NodeJS.ProcessEnv): BuilderConfig => parseConfig(BuilderConfig, env);
