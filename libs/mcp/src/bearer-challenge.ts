/** Returns a parameter of a Bearer challenge (RFC 6750 §3, RFC 9728 §5.1); undefined when the header does not contain it. */
export function challengeParameter(header: string | null, name: string): string | undefined {
  const pattern = new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]*)"|([^\\s,"]+))`, 'i');
  const [, quoted, token] = pattern.exec(header ?? '') ?? [];
  return quoted ?? token;
}
