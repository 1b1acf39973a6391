// @ts-check
import { request } from 'node:http';

/**
 * Sends one request on a new connection. A connection that is kept open could be closed by the server between two requests.
 *
 * @param {string} method @param {string} url @param {Record<string, string>} [headers] @param {string} [body]
 * @returns {Promise<string>} the body of an answer of 2xx
 */
export function ask(method, url, headers = {}, body = '') {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const asked = request(url, { method, agent: false, headers: { ...headers, ...length } }, async (response) => {
      const text = (await response.toArray()).join('');
      const { statusCode = 0 } = response;
      if (statusCode >= 200 && statusCode < 300) resolve(text);
      else reject(new Error(`${method} ${url}: ${statusCode} ${text.slice(0, 300)}`));
    });
    asked.once('error', reject).end(body);
  });
}

/**
 * Like {@link ask}, but sends the body as JSON and parses the answer as JSON. Returns `undefined` for an empty answer.
 *
 * @param {string} method @param {string} url @param {Record<string, string>} headers @param {object} [body] @returns {Promise<any>}
 */
export async function askJson(method, url, headers, body) {
  const json = { 'content-type': 'application/json', ...headers };
  const text = await ask(method, url, json, body && JSON.stringify(body));
  return text === '' ? undefined : JSON.parse(text);
}
