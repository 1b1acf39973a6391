import { execFileSync } from 'node:child_process';
import { curlOf } from './curl-text.js';

/** Returns the arguments that a shell passes to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\nKEY=mw_live_1\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('curlOf', () => {
  it.each(["it's", '$(touch /tmp/x) `id` $HOME "quoted"', 'back\\slash\nline', "'; rm -rf /; '"])(
    'quotes %j so that a shell passes the text unchanged',
    (name) => {
      const body = { name };
      const args = argumentsOf(
        curlOf('http://localhost:8080', '$KEY', { method: 'POST', path: '/api/v1/skills', body }),
      );
      expect(args.slice(0, 3)).toEqual([
        'http://localhost:8080/api/v1/skills',
        '-H',
        'Authorization: Bearer mw_live_1',
      ]);
      expect(JSON.parse(args.at(-1) ?? '')).toEqual(body);
    },
  );

  it('adds the method unless it is the default of curl, and quotes values for the shell', () => {
    const get = argumentsOf(curlOf('http://a', '$KEY', { path: '/x?search=a b&page=2' }));
    expect(get).toEqual(['http://a/x?search=a b&page=2', '-H', 'Authorization: Bearer mw_live_1']);
    expect(argumentsOf(curlOf('http://a', '$KEY', { method: 'DELETE', path: '/x' })).slice(0, 3)).toEqual([
      '-X',
      'DELETE',
      'http://a/x',
    ]);
  });

  it('sends the credential in the header that the called service expects', () => {
    const get = argumentsOf(curlOf('http://a', '$KEY', { path: '/v1/prompt' }, 'api-key:'));
    expect(get).toEqual(['http://a/v1/prompt', '-H', 'api-key: mw_live_1']);
  });
});
