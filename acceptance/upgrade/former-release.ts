import { buildCheckout, commitBefore, formerRelease } from '../../tools/former-checkout.mjs';

/** There is no release yet: the commit before this migration takes the place of one. */
const FIRST_MIGRATION = 'prisma/migrations/20261126021800_images_and_items/migration.sql';

/** Builds every service, and the command line, of the commit UPGRADE_FROM; by default of the newest release. */
export async function buildFormerRelease(folder: string) {
  const commit = process.env['UPGRADE_FROM'] ?? (await formerRelease()) ?? (await commitBefore(FIRST_MIGRATION));
  return buildCheckout(commit, folder, ['cli', 'admin-auth', 'platform-api', 'runtime-api', 'prompt-api', 'gateway']);
}
