import { homedir } from 'node:os';
import { join } from 'node:path';
import type { BuilderConfig } from '../builder-config.js';

/** Returns the folder of the user's own Millwright files. */
export function homeFolder({ MILLWRIGHT_HOME }: Pick<BuilderConfig, 'MILLWRIGHT_HOME'>): string {
  return MILLWRIGHT_HOME ?? join(homedir(), '.config', 'millwright');
}
