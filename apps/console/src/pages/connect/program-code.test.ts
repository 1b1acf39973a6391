import { execFileSync } from 'node:child_process';
import { programsOf, pythonLiteral } from './program-code.js';

const ADDRESSES = { base_url: 'http://a', runtime_url: 'http://b', prompt_api_url: 'http://c' };
const VARIABLES = { name: 'it\'s "here" $HOME `id`', on: true, none: null, list: [1, { deep: false }] };
const codeOf = (id: string) =>
  programsOf({ kind: 'prompt', id: 'p', variables: VARIABLES }, ADDRESSES, 'mw_live_1').find((each) => each.id === id)
    ?.code ?? '';

describe('programsOf', () => {
  it('quotes the variables of a prompt for the shell', () => {
    const script = `curl() { printf '%s\\0' "$@"; }\n${codeOf('curl')}`;
    const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0');
    expect(JSON.parse(words.at(-2) ?? '')).toEqual({ message: 'Hello', structured_data: VARIABLES });
  });

  it('writes the variables as values in the TypeScript program, and as strings in the OpenAI program', () => {
    expect(codeOf('typescript')).toContain(JSON.stringify(VARIABLES.name));
    expect(codeOf('openai')).toContain('"on": "true"');
  });
});

describe('pythonLiteral', () => {
  it('writes null, true and false as None, True and False', () => {
    expect(pythonLiteral(VARIABLES)).toBe(
      '{"name": "it\'s \\"here\\" $HOME `id`", "on": True, "none": None, "list": [1, {"deep": False}]}',
    );
  });
});
