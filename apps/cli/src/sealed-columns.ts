import { secretPlaces, type SecretBox } from '@millwright/secrets';

export type SealedRow = Readonly<Record<string, unknown>>;

/** A column that contains encrypted values. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Columns that identify a row. */
  key: readonly string[];
  /**
   * `values` returns the encrypted values that a column's value contains, each with the context that is needed to decrypt it. `replace`
   * returns the column's value with other encrypted values.
   */
  values: (row: SealedRow, value: unknown) => { sealed: string; place: string }[];
  replace: (value: unknown, sealed: readonly string[]) => unknown;
}

/** Describes a column that contains exactly one encrypted value. */
const text = (
  table: string,
  column: string,
  key: readonly string[],
  place: (...key: string[]) => string,
): SealedColumn => ({
  ...{ table, column, key },
  values: (row, value) => [{ sealed: String(value), place: place(...key.map((name) => String(row[name]))) }],
  replace: (_value, [sealed]) => sealed,
});

const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
const entriesOf = (value: unknown) => Object.entries(value ?? {}).filter(isText);
const clientSecretOf = (auth: unknown): string[] =>
  entriesOf(auth).flatMap(([name, value]) => (name === 'client_secret' ? [value] : []));

/** All columns that contain encrypted values, except those whose rows expire within minutes. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...(['secret', 'former_secret'] as const).flatMap((column) => [
    text('webhooks', column, ['id'], secretPlaces.webhook),
    text('triggers', column, ['id'], secretPlaces.trigger),
  ]),
  text('plugins', 'secrets', ['id'], secretPlaces.plugin),
  text('models', 'api_key', ['id'], secretPlaces.model),
  text('push_configs', 'secrets', ['run_id', 'id'], secretPlaces.pushConfig),
  ...(['client_secret', 'access_token', 'refresh_token'] as const).map((column) =>
    text('mcp_connections', column, ['server_id', 'user_id'], (server = '', user = '') =>
      secretPlaces.mcpConnection(server, user, column),
    ),
  ),
  text('mcp_upstream_clients', 'client_secret', ['server_id', 'issuer'], secretPlaces.mcpUpstreamClient),
  {
    ...{ table: 'mcp_servers', column: 'headers', key: ['id'] },
    values: ({ id }, value) =>
      entriesOf(value).map(([name, sealed]) => ({ sealed, place: secretPlaces.mcpHeader(String(id), name) })),
    replace: (value, sealed) => Object.fromEntries(entriesOf(value).map(([name], index) => [name, sealed[index]])),
  },
  {
    ...{ table: 'mcp_servers', column: 'auth', key: ['id'] },
    values: ({ id }, value) =>
      clientSecretOf(value).map((sealed) => ({ sealed, place: secretPlaces.mcpClientSecret(String(id)) })),
    replace: (value, [client_secret]) => ({
      ...(value as object),
      ...(client_secret !== undefined && { client_secret }),
    }),
  },
];

/**
 * Returns the column's value with everything encrypted again, with the first key. Returns undefined when everything is already encrypted
 * with the first key.
 * @throws SecretUnreadable when no key decrypts a value
 */
export function resealed({ values, replace }: SealedColumn, secrets: SecretBox, row: SealedRow, value: unknown) {
  const found = values(row, value).filter(({ sealed }) => sealed !== '');
  if (found.every(({ sealed }) => secrets.isCurrent(sealed))) return undefined;
  return replace(
    value,
    found.map(({ sealed, place }) => secrets.seal(secrets.open(sealed, place), place)),
  );
}
