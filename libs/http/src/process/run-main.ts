import { ConfigError } from '@millwright/config';
import { createLogger } from './logger.js';
import { serviceVersion } from './version.js';

/**
 * Runs an app's main function. A ConfigError is printed, and the process exits with 78. Any other failure, also a later
 * one, is logged, and the process exits with 1, because a process in an unknown state must be replaced.
 */
export function runMain(name: string, main: () => Promise<unknown>): void {
  const die = (failure: unknown, message: string) => {
    createLogger({ service: name, level: 'info', version: serviceVersion }).fatal({ err: failure }, message);
    process.exit(1);
  };
  process.on('uncaughtException', (failure) => die(failure, 'uncaught exception'));
  process.on('unhandledRejection', (failure) => die(failure, 'unhandled rejection'));
  main().catch((failure: unknown) => {
    if (!(failure instanceof ConfigError)) {
      die(failure, failure instanceof Error ? failure.message : 'did not start');
      return;
    }
    process.stderr.write(`${failure.message}\n`);
    process.exit(failure.exitCode);
  });
}
