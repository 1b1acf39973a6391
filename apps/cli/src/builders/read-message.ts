import { CommandRefused } from '../command-refused.js';
import type { Terminal } from '../terminal.js';

/** Maximum size of a message in bytes. It is the maximum size of a request to the runtime API. */
const MAX_BYTES = 1_048_576;

/**
 * Returns the message from the arguments or, without it, all of standard input. @throws CommandRefused when the message is empty or too
 * long
 */
export async function readMessage({ input, errors }: Terminal, message: string | undefined): Promise<string> {
  if (message === undefined && input.isTTY === true) errors.write('Message, then Ctrl+D:\n');
  const text = (message ?? (await readAll(input))).trim();
  if (text === '')
    throw new CommandRefused('The message is empty. Give it as argument or on standard input.', { kind: 'usage' });
  return text;
}

async function readAll(input: AsyncIterable<string | Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.from(chunk);
    chunks.push(part);
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new CommandRefused('The message is longer than 1 MiB.');
  }
  return Buffer.concat(chunks).toString();
}
