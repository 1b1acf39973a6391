/** The array is the body, so the total and the neighbouring pages go into headers (RFC 8288). */
export function listHeaders(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> & { page: number; limit: number },
  total: number,
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / query.limit));
  const at = (page: number, rel: string) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries<string | number | undefined>({ ...query, page }))
      if (value !== undefined) parameters.set(name, String(value));
    return `<${path}?${parameters.toString()}>; rel="${rel}"`;
  };
  const links = [at(1, 'first'), at(last, 'last')];
  if (query.page > 1) links.push(at(Math.min(query.page - 1, last), 'prev'));
  if (query.page < last) links.push(at(query.page + 1, 'next'));
  return { 'X-Total-Count': String(total), Link: links.join(', ') };
}
