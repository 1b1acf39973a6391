import { buildCheckout, formerCommit } from '../../tools/former-checkout.mjs';

/** Builds every service, and the command line, of the former release. */
export async function buildFormerRelease(folder: string) {
  return buildCheckout(await formerCommit(), folder, [
    'cli',
    'admin-auth',
    'platform-api',
    'runtime-api',
    'prompt-api',
    'gateway',
  ]);
}
