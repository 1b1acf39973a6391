import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listSigningKeys } from '@millwright/accounts/signing-keys';
import { loadSigningKey } from '@millwright/auth/signing-keys';
import { failed, ok, skipped, warning, type Check, type Finding } from './check.js';

const ISSUERS = ['admin-auth', 'runtime-api'] as const;

export const keyChecks: readonly Check[] = [
  {
    name: 'signing keys',
    next: 'Correct the database check first.',
    async run({ db }) {
      const keys = await listSigningKeys(db);
      return ISSUERS.map((issuer) => {
        const current = keys.find((key) => key.issuer === issuer && key.current);
        if (current) return ok(`${issuer} signs with ${current.kid}`);
        return failed(`${issuer} has no key in use`, `Start ${issuer} with SIGNING_KEY_FILE; it publishes its key.`);
      });
    },
  },
  {
    name: 'key files',
    next: 'Correct the file, or run: millwright admin signing-keys rotate --issuer <service>',
    async run({ db, config: { KEY_FOLDER: folder } }) {
      if (folder === undefined) return [skipped('KEY_FOLDER')];
      const keys = await listSigningKeys(db);
      return Promise.all(
        ISSUERS.map(async (issuer): Promise<Finding> => {
          const file = join(folder, `${issuer}.pem`);
          if (!existsSync(file)) return failed(`${file} does not exist`, 'Put the key file of the service there.');
          const { kid } = await loadSigningKey(file);
          const known = keys.find((key) => key.kid === kid && key.issuer === issuer);
          if (known?.revoked_at != null)
            return failed(`${file} has a revoked key`, `Run: millwright admin signing-keys rotate --issuer ${issuer}`);
          if ((statSync(file).mode & 0o077) !== 0)
            return warning(`${file} can be read by other users`, `Run: chmod 600 ${file}`);
          return known
            ? ok(`${file} is ${known.current ? 'the current key' : 'a published key'}`)
            : warning(`${file} is no published key`, `${issuer} publishes it when it starts with this file.`);
        }),
      );
    },
  },
];
