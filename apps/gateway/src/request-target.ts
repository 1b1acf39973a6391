/**
 * What a gateway and a service could read differently: backslashes, empty and dot segments however they are encoded,
 * NUL, and a fragment, which has no place in a request.
 */
const ambiguous = /[\\#]|\/\/|%5c|%00|(?:\/|%2f)(?:\.|%2e){1,2}(?=\/|%2f|;|$)/i;

/** The path of a request target in origin form (RFC 9112, section 3.2.1); undefined when it is another form or ambiguous. */
export function pathOf(target: string): string | undefined {
  if (!target.startsWith('/')) return undefined;
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  return ambiguous.test(path) ? undefined : path;
}
