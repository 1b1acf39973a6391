/**
 * Headers that apply to one connection only (RFC 9110 §7.6.1), or that each receiver handles itself, such as
 * `Transfer-Encoding`.
 */
export const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'expect',
]);
