import { CommandRefused } from '../command-refused.js';
import type { Terminal } from '../terminal.js';

/** Maximum size of a message, in bytes: the runtime API's limit of a request. */
const MAX_BYTES = 1_048_576;

/** Returns the message in the arguments, otherwise all of standard input. @throws CommandRefused for a message that is empty or too long */
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
