import { homedir } from 'node:os';
import { join } from 'node:path';
import type { BridgeConfig } from '../config.js';

/** The folder of the operator's own files. */
export function homeFolder({ MILLWRIGHT_HOME }: BridgeConfig): string {
  return MILLWRIGHT_HOME ?? join(homedir(), '.config', 'millwright');
}
