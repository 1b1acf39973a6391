import { readFileSync } from 'node:fs';
import { ACCOUNT_ROLES, type AccountRole, type Project } from '@millwright/auth';
import { isProjectId } from '@millwright/auth/projects';
import { ConfigError, type ConfigFault } from '@millwright/config';
import { parseDocument } from 'yaml';
import { z } from 'zod';

/** An OpenID Connect issuer that signs users in. */
export interface SsoIssuer {
  /** Path segment of the issuer's sign-in: `/admin/sso/<name>`. */
  name: string;
  /** Label of the sign-in button. */
  label: string;
  /** The issuer identifier. It must be equal to `iss` in the issuer's tokens, byte for byte. */
  url: string;
  clientId: string;
  /** `undefined` for a public client, which is protected by PKCE alone. */
  clientSecret: string | undefined;
  scopes: readonly string[];
  /** Email domains for which the issuer is authoritative, in lower case. */
  domains: readonly string[];
  linkByVerifiedEmail: boolean;
  createAccounts: boolean;
  groups: GroupRules | undefined;
  /** Whether accounts of these domains can sign in only by this issuer. */
  ssoOnly: boolean;
  /** Email addresses of the accounts that may still sign in with a passkey. */
  breakGlass: readonly string[];
  /** Provisioning of accounts by SCIM; `undefined` when it is off. */
  scim: ScimRules | undefined;
}

export interface ScimRules {
  /** SHA-256 hashes of the SCIM tokens. During a rotation, there are two. */
  tokenHashes: readonly Buffer[];
  /** Email of the active admin who is accountable for the changes. */
  owner: string;
}

export interface GroupRules {
  claim: string;
  map: readonly { group: string; role: AccountRole; project: Project }[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function isIssuerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  const isPlain = search === '' && hash === '' && username === '' && password === '' && !text.endsWith('?');
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname)));
}

const text = (reason: string, most: number) => z.string(reason).min(1, reason).max(most, reason);
const flag = z.boolean('must be true or false').default(false);

/** Path segments below `/admin/sso` that no issuer may have as its name. */
const RESERVED = ['confirm'];

const FileIssuer = z.strictObject(
  {
    name: z
      .string('must be a name')
      .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a name of a-z, 0-9 and -')
      .refine((name) => !RESERVED.includes(name), 'must be another name: this one is reserved'),
    label: text('must be a text of at most 50 characters', 50).optional(),
    issuer: z
      .string('must be a URL')
      .refine(isIssuerUrl, 'must be an https URL without query, user or password; http on this machine only'),
    client_id: text('must be a text', 500),
    // The message does not show the value, because the value may be a secret that was entered by mistake.
    client_secret_env: z
      .string('must be the name of an environment variable')
      .regex(/^[A-Z_][A-Z0-9_]*$/, 'must be the name of an environment variable')
      .optional(),
    scopes: z
      .array(
        z.string('must be a scope').regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be a scope'),
        'must be a list',
      )
      .max(20, 'must have at most 20 scopes')
      .refine((scopes) => scopes.includes('openid'), 'must have openid')
      .default(['openid', 'email', 'profile']),
    domains: z
      .array(
        z.string('must be a domain').regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/i, 'must be a domain such as example.com'),
        'must be a list of domains',
      )
      .max(100, 'must have at most 100 domains')
      .default([]),
    link_by_verified_email: flag,
    create_accounts: flag,
    sso_only: flag,
    break_glass: z
      .array(z.email('must be an email address'), 'must be a list of email addresses')
      .max(20, 'must have at most 20 addresses')
      .default([]),
    scim: z
      .strictObject(
        {
          // The file contains hashes instead of tokens, because a token could be used by everyone who can read the file.
          token_sha256: z
            .array(
              z.string('must be a SHA-256').regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 of 64 digits'),
              'must be a list of SHA-256',
            )
            .min(1, 'must have one or two tokens')
            .max(2, 'must have one or two tokens'),
          owner: z.email('must be an email address'),
        },
        'must give token_sha256 and owner',
      )
      .optional(),
    groups: z
      .strictObject(
        {
          claim: text('must be the name of a claim', 200).default('groups'),
          map: z
            .array(
              z.strictObject(
                {
                  group: text('must be the name of a group', 500),
                  role: z.enum(ACCOUNT_ROLES, `must be one of ${ACCOUNT_ROLES.join(', ')}`),
                  project: z.custom<Project>(isProjectId, 'must be Core or Commerce'),
                },
                'must give group, role and project',
              ),
              'must be a list of groups',
            )
            .min(1, 'must name at least one group')
            .max(200, 'must name at most 200 groups'),
        },
        'must give claim and map',
      )
      .optional(),
  },
  'must be an issuer',
);
type FileIssuer = z.output<typeof FileIssuer>;

const File = z.strictObject(
  { issuers: z.array(FileIssuer, 'must be a list of issuers').max(20, 'must have at most 20 issuers') },
  'must have a list of issuers',
);

const fault = (reason: string): ConfigFault => ({ variable: 'SSO_FILE', reason });

const pathText = (path: readonly PropertyKey[]) =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/** Parses the file. The error messages of the YAML parser quote the file, which may contain secrets, so other messages replace them. */
function parseFile(content: string): FileIssuer[] {
  const document = parseDocument(content);
  const [error] = document.errors;
  if (error) throw new ConfigError([fault(`is not valid YAML (line ${error.linePos?.[0].line ?? 1})`)]);
  const result = File.safeParse(document.toJS());
  if (result.success) return result.data.issuers;
  throw new ConfigError(
    result.error.issues.map((issue) => {
      const reason = issue.code === 'unrecognized_keys' ? `has unknown keys: ${issue.keys.join(', ')}` : issue.message;
      return fault(`${pathText(issue.path)} ${reason}`.trim());
    }),
  );
}

function faultsOf(issuers: readonly FileIssuer[], env: Environment): ConfigFault[] {
  const isTwice = (values: readonly string[], value: string) => values.indexOf(value) !== values.lastIndexOf(value);
  return issuers.flatMap((entry, index) => {
    const where = `issuers[${index}]`;
    const reasons = [
      isTwice(
        issuers.map(({ name }) => name),
        entry.name,
      ) && `${where}.name is used twice`,
      // Identities are stored by issuer and subject, without the entry's name. Two entries with the same issuer would therefore share
      // identities.
      isTwice(
        issuers.map(({ issuer }) => issuer),
        entry.issuer,
      ) && `${where}.issuer is used twice`,
      entry.client_secret_env !== undefined &&
        !env[entry.client_secret_env] &&
        `${where}.client_secret_env: the environment variable ${entry.client_secret_env} is not set`,
      (entry.link_by_verified_email || entry.create_accounts || entry.sso_only || entry.scim !== undefined) &&
        entry.domains.length === 0 &&
        `${where}.domains is required where link_by_verified_email, create_accounts, sso_only or scim is set`,
      // Without a break-glass account, no user of the domains can sign in while the issuer fails.
      entry.sso_only &&
        entry.break_glass.length === 0 &&
        `${where}.break_glass must name an account where sso_only is true`,
      !entry.sso_only && entry.break_glass.length > 0 && `${where}.break_glass is only for sso_only`,
    ];
    return reasons.filter((reason) => reason !== false).map(fault);
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new ConfigError([fault('names a file that cannot be read')]);
  }
}

/**
 * Loads the issuers of `SSO_FILE`. Returns an empty list when the setting is missing.
 *
 * @throws ConfigError with all faults of the file. The error contains no secret.
 */
export function loadSso(path: string | undefined, env: Environment): SsoIssuer[] {
  if (path === undefined) return [];
  const issuers = parseFile(readText(path));
  const faults = faultsOf(issuers, env);
  if (faults.length > 0) throw new ConfigError(faults);
  return issuers.map((entry) => ({
    name: entry.name,
    label: entry.label ?? entry.name,
    url: entry.issuer,
    clientId: entry.client_id,
    clientSecret: entry.client_secret_env === undefined ? undefined : env[entry.client_secret_env],
    scopes: entry.scopes,
    domains: entry.domains.map((domain) => domain.toLowerCase()),
    linkByVerifiedEmail: entry.link_by_verified_email,
    createAccounts: entry.create_accounts,
    groups: entry.groups,
    ssoOnly: entry.sso_only,
    breakGlass: entry.break_glass,
    scim: entry.scim && {
      tokenHashes: entry.scim.token_sha256.map((hash) => Buffer.from(hash, 'hex')),
      owner: entry.scim.owner,
    },
  }));
}
