import { secretPlaces, type SecretBox } from '@millwright/secrets';

/** Headers in the stored form: sealed values by their names. */
export type SealedHeaders = Readonly<Record<string, string>>;

const mapped = (headers: Readonly<Record<string, string>>, map: (name: string, value: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(name, value)]));

/** Seals the headers of an MCP server. Each value is bound to its server and its name. */
export function sealHeaders(
  secrets: SecretBox,
  serverUuid: string,
  headers: Readonly<Record<string, string>>,
): SealedHeaders {
  return mapped(headers, (name, value) => secrets.seal(value, secretPlaces.mcpHeader(serverUuid, name)));
}

/** @throws SecretUnreadable when a sealed value cannot be decrypted */
export function openHeaders(secrets: SecretBox, serverUuid: string, headers: SealedHeaders): Record<string, string> {
  return mapped(headers, (name, value) => secrets.open(value, secretPlaces.mcpHeader(serverUuid, name)));
}

/**
 * Seals the headers under the current key. Returns undefined when all headers are already sealed under this key.
 * @throws SecretUnreadable when a sealed value cannot be decrypted
 */
export function resealHeaders(
  secrets: SecretBox,
  serverUuid: string,
  headers: SealedHeaders,
): SealedHeaders | undefined {
  if (Object.values(headers).every((sealed) => secrets.isCurrent(sealed))) return undefined;
  return sealHeaders(secrets, serverUuid, openHeaders(secrets, serverUuid, headers));
}
