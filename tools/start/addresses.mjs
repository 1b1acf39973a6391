// @ts-check
import { isFree } from '../ports.mjs';
import { StartFailure } from './start-failure.mjs';

/**
 * Addresses of the services for clients: three consecutive ports from MILLWRIGHT_PORT on.
 *
 * @typedef {{ base: string, runtime: string, promptApi: string, ports: number[] }} Addresses
 * @param {NodeJS.ProcessEnv} env
 * @returns {Addresses}
 */
export function addressesFrom(env) {
  const first = Number(env['MILLWRIGHT_PORT'] || 8080);
  if (!Number.isInteger(first) || first < 1 || first > 65_533) {
    throw new StartFailure('MILLWRIGHT_PORT must be a whole number from 1 to 65533.', 78);
  }
  const ports = [first, first + 1, first + 2];
  const [base, runtime, promptApi] = ports.map((port) => `http://localhost:${port}`);
  return { base: String(base), runtime: String(runtime), promptApi: String(promptApi), ports };
}

/** @param {Addresses} addresses */
export async function requireFreePorts({ ports }) {
  for (const port of ports) {
    if (await isFree(port)) continue;
    throw new StartFailure(
      `Port ${port} is in use: stop what listens there, or set MILLWRIGHT_PORT to another first of three ports.`,
    );
  }
}
