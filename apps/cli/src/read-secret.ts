import { createInterface } from 'node:readline/promises';
import { PassThrough } from 'node:stream';
import { CommandRefused } from './command-refused.js';
import type { Terminal } from './terminal.js';

/** Maximum number of characters. All our secrets are shorter. */
const MOST = 4_096;

/**
 * Reads a secret from the first line of standard input: other users of the machine can see arguments, but not the input. A terminal
 * does not echo the secret.
 *
 * @throws CommandRefused without a line.
 */
export async function readSecret({ input, errors }: Terminal, name: string): Promise<string> {
  if (input.isTTY === true) errors.write(`${name}: `);
  const lines = createInterface({ input, output: new PassThrough(), terminal: input.isTTY === true });
  try {
    for await (const line of lines) {
      const text = line.trim();
      if (text !== '' && text.length <= MOST) return text;
      break;
    }
  } finally {
    lines.close();
    if (input.isTTY === true) errors.write('\n');
  }
  throw new CommandRefused(`There is no ${name} on standard input.`);
}
