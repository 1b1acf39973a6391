import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readRecords, textOf } from './folder.js';
import { KINDS, makePlan } from './plan.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const kindOf = (name: string) => {
  const kind = KINDS.find((one) => one.name === name);
  if (!kind) throw new Error(`no kind ${name}`);
  return kind;
};

describe('the file of a record', () => {
  it.each([
    ['skill', 'skills/plain/SKILL.md', '---\nname: Plain\ndescription: Simple words\n---\n\nExplain.\n\n---\nMore.\n'],
    ['content', 'content/mills.md', '---\ntitle: Mills\ntags:\n  - food\n---\n\nA mill grinds.\n'],
    ['block', 'blocks/sign.md', '---\nprefix: sign\n---\n\nYours, {{brand}}\n'],
    ['agent', 'agents/guide.yaml', 'name: Guide\ninstructions: |-\n  Be brief.\n  Be kind.\nmodel: large\n'],
    ['MCP server', 'mcp-servers/a.yaml', 'name: A\nurl: https://a.example.com\nheaders:\n  X-Key: ${env:A_X_KEY}\n'],
    ['prompt', 'prompts/rate.yaml', 'title: Rate\nsystem: Rate {{thing}}.\nuser: "{{message}}"\n'],
  ])('has the same content after it is read and written again: %s', (name, path, text) => {
    const kind = kindOf(name);
    put(path, text);
    const [file] = readRecords(folder, kind);
    expect(file && textOf(kind, file.fields)).toBe(text);
  });

  it.each([
    ['an unknown field', 'name: A\ncolour: red\n', 'colour'],
    ['a missing name', 'description: A\n', 'name'],
    ['YAML that is not valid', 'name: [\n', 'cannot be read'],
    ['no object', 'text\n', 'name'],
  ])('is refused when it has %s; the error names the path and the reason', (_case, text, expected) => {
    put('agents/a.yaml', text);
    expect(() => readRecords(folder, kindOf('agent'))).toThrow(expected);
    expect(() => readRecords(folder, kindOf('agent'))).toThrow(join('agents', 'a.yaml'));
  });

  it('is refused when another file describes the same record', () => {
    put('agents/a.yaml', 'name: A\n');
    put('agents/b.yaml', 'name: A\n');
    expect(() => readRecords(folder, kindOf('agent'))).toThrow('both have the name "A"');
  });

  it.each([true, false])('leaves the stored value %s of `published` when it has no `published`', (published) => {
    put('agents/a.yaml', 'name: A\n');
    const agents = kindOf('agent');
    const [file] = readRecords(folder, agents);
    const stored = { id: 'ag_1', fields: { ...file?.fields, published } };
    const installation = { records: new Map([[agents, [stored]]]), ids: new Map() };
    expect(makePlan(folder, installation, { prune: false, env: {} })).toMatchObject({ changes: [], unchanged: 1 });
    expect(textOf(agents, stored.fields)).toBe(`name: A\npublished: ${published}\n`);
  });

  it('leads to a request without `published` when its agent is new and the file has no `published`', () => {
    put('agents/a.yaml', 'name: A\n');
    const [file] = readRecords(folder, kindOf('agent'));
    const body = kindOf('agent').bodyOf(file?.fields ?? {}, { ids: new Map(), env: {} }, undefined);
    expect(body).toMatchObject({ name: 'A' });
    expect(body).not.toHaveProperty('published');
  });
});
