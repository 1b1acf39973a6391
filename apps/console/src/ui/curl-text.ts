export interface CurlCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** Further curl options, quoted for a shell. */
  options?: string;
}

/** Writes a call as a curl command. The command sends `credential` in the header that `header` names. */
export function curlOf(
  base: string,
  credential: string,
  { method = 'GET', path, body, options }: CurlCall,
  header = 'Authorization: Bearer',
): string {
  const parts = [
    `curl ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}${quoted(base + path)}`,
    `-H "${header} ${credential}"`,
    ...(options === undefined ? [] : [options]),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** Quotes a text as one word of a shell command. */
function quoted(text: string): string {
  return /^[\w:/.,=?&%{}~-]+$/.test(text) && !/[?&]/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
