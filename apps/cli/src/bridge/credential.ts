import { join } from 'node:path';
import { z } from 'zod';
import { readPrivate, writePrivate } from '../files/private-file.js';
import { CommandRefused } from '../command-refused.js';

export const Credential = z.object({
  url: z.string(),
  pat: z.string(),
  device_certificate: z.string(),
  /** P-256, PKCS #8 in PEM. The key never leaves this machine. */
  private_key: z.string(),
  expires_at: z.string(),
});
export type Credential = z.output<typeof Credential>;

const fileOf = (home: string) => join(home, 'bridge.json');

export function writeCredential(home: string, credential: Credential): void {
  writePrivate(fileOf(home), credential);
}

/** @throws CommandRefused when nobody has logged in yet. */
export function readCredential(home: string): Credential {
  const credential = readPrivate(fileOf(home), Credential);
  if (!credential) throw new CommandRefused('This machine is not linked: bridge login --url <base>');
  return credential;
}
