import { messageOf } from '@millwright/testing';
import { AppError } from '@millwright/errors';
import { parseFields } from '@millwright/http';
import fc from 'fast-check';
import { usePlatform } from '../test-use-platform.js';
import { readSkillMd, writeSkillMd } from './skill-md.js';
import { NewSkill, type Skill } from './skills.contract.js';

const faultsOf = (text: string): string => {
  try {
    parseFields(NewSkill, readSkillMd(text));
    return 'none';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.fields.map(({ field, reason }) => `${field}: ${reason}`).join('; ') || error.code;
  }
};

const EXAMPLE = `---
name: Summarise
description: "Shortens: any text"
parameters:
  tone:
    type: string
    enum:
      - warm
      - "no"
    default: warm
---

# Summarise

Keep names.
`;

describe('SKILL.md', () => {
  it('consists of a front matter and the instructions below it', () => {
    const skill = {
      name: 'Summarise',
      description: 'Shortens: any text',
      parameters: { tone: { type: 'string' as const, enum: ['warm', 'no'], default: 'warm' } },
      instructions: '# Summarise\n\nKeep names.',
    };
    expect(writeSkillMd(skill)).toBe(EXAMPLE);
    expect(readSkillMd(EXAMPLE)).toEqual(skill);
  });

  it('has the same bytes when any skill is written, read and written again', () => {
    const text = (max: number) =>
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: max }),
        fc.string({
          unit: fc.constantFrom(
            '\n',
            '\r',
            ' ',
            '-',
            '---\n',
            ':',
            '#',
            '"',
            "'",
            '\\',
            '\t',
            '|',
            '>',
            '\u2028',
            '\u0085',
            '\ufeff',
            '\u0001',
            '&',
            '*',
            '!',
            '%',
            '@',
            '`',
            '{',
            '[',
            ',',
            '?',
            'a',
            '0',
            '1e5',
            'true',
            'null',
            '~',
            '0x1',
          ),
          maxLength: 12,
        }),
      );
    const value = fc.oneof(text(20), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean());
    const parameter = fc.record(
      {
        type: fc.constantFrom('string', 'integer', 'number', 'boolean'),
        enum: fc.array(value, { minLength: 1, maxLength: 4 }),
        default: value,
      },
      { requiredKeys: ['type'] },
    );
    const parameters = fc.dictionary(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/), parameter, { maxKeys: 4 });
    const skill = fc.record({ name: text(30), description: text(60), instructions: text(200), parameters });
    fc.assert(
      fc.property(skill, (made) => {
        // The skill as the database returns it.
        const stored = JSON.parse(JSON.stringify(made)) as Skill;
        const file = writeSkillMd(stored);
        const read = readSkillMd(file);
        expect({ parameters: {}, ...read }).toEqual(stored);
        expect(writeSkillMd({ parameters: {}, ...read } as Skill)).toBe(file);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['x\u2028---', '---', '\u2029---\r---', 'no', '1', ' ---\n"'])(
    'keeps the name %j when it is written and read',
    (name) => {
      const skill = { name, description: name, parameters: {}, instructions: `${name}\n---\n` };
      expect(readSkillMd(writeSkillMd(skill))).toEqual({ name, description: name, instructions: skill.instructions });
    },
  );

  it('may have CRLF line endings, no empty line after the front matter and no final line ending', () => {
    expect(readSkillMd('---\r\nname: A\r\n---\r\n\r\nOne.\r\nTwo.\r\n')).toEqual({
      name: 'A',
      instructions: 'One.\r\nTwo.',
    });
    expect(readSkillMd('---\nname: A\n---\nOne.')).toEqual({ name: 'A', instructions: 'One.' });
  });

  it.each<[string, string]>([
    ['', 'front matter: must stand between two lines of ---'],
    ['# A', 'front matter: must stand between two lines of ---'],
    ['# A\n---\nname: A\n---\nB', 'front matter: must stand between two lines of ---'],
    ['---\nname: A\n', 'front matter: must stand between two lines of ---'],
    ['---\nname: [\n---\nB', 'front matter: is not valid YAML at character'],
    ['---\n---\nB', 'front matter: must be a mapping'],
    ['---\n- name\n---\nB', 'front matter: must be a mapping'],
    ['---\nname: &a A\ndescription: *a\n---\nB', 'front matter: must not use anchors or aliases'],
    ['---\nname: !!js/function "x"\n---\nB', 'front matter: is not valid YAML'],
    ['---\nname: !!str 1\n---\nB', 'front matter: must not use tags'],
    ['---\n? [a]\n: 1\n---\nB', 'front matter: must have texts as keys'],
    ['---\nname: A\nname: B\n---\nB', 'name: must be given once'],
    ['---\nname: A\n---\nB', 'description: is required'],
    ['---\nname: 7\ndescription: ""\n---\nB', 'name: must be a string'],
    ['---\nname: A\ndescription: ""\n---\n', 'instructions: must not be empty'],
    ['---\nname: A\ndescription: ""\ninstructions: C\n---\nB', 'instructions: must stand below the front matter'],
    ['---\nname: A\ndescription: ""\nlicense: MIT\n---\nB', 'license: is an unknown field'],
    ['---\nname: A\ndescription: ""\nparameters:\n  tone: {}\n---\nB', 'parameters.tone.type: is required'],
    [
      '---\nname: A\ndescription: ""\nparameters:\n  tone: { type: number, default: .nan }\n---\nB',
      'parameters.tone.default',
    ],
    [
      '---\nname: A\ndescription: ""\nparameters:\n  __proto__: { type: string }\n---\nB',
      'parameters.__proto__: is not allowed as a name',
    ],
    ['---\nname: A\ndescription: "\\0"\n---\nB', 'description: must be well-formed text'],
    [`---\nname: ${'x'.repeat(8_192)}\n---\nB`, 'payload_too_large'],
    [`---\nname: ${'é'.repeat(4_096)}\n---\nB`, 'payload_too_large'],
    ['---\nname: [[[[[[[[[A]]]]]]]]]\n---\nB', 'front matter: must not nest more than 8 lists or mappings'],
    ['---\n- - - - - - - - - A\n---\nB', 'front matter: must not nest more than 8 lists or mappings'],
    ['---\nname: A]\ndescription: ]\n---\nB', 'front matter: is not valid YAML at character 22'],
    ['---\nname: [,,,,]\n---\nB', 'front matter: is not valid YAML at character 8'],
  ])('%j is refused', (text, fault) => {
    expect(faultsOf(text)).toContain(fault);
  });

  it.each(['[', ']', '{', '[{', '- ', '? ', ': ', '[a, ', '"" ', '&a ', '!t ', '*a ', '%a\n', "'", '"\\x'])(
    'is refused as an invalid file when it contains 8 KiB of %j',
    (piece) => {
      expect(faultsOf(`---\n${piece.repeat(8_000 / piece.length)}\n---\nB`)).toMatch(/^front matter: (is not|must) /);
      expect(faultsOf(`---\nname: [${piece.repeat(8_000 / piece.length)}\n---\nB`)).toMatch(
        /^front matter: (is not|must) /,
      );
    },
  );

  it('may contain brackets in quotes, comments and multi-line texts', () => {
    const brackets = '['.repeat(20);
    const text = `---\nname: "${brackets}"\ndescription: | # ${brackets}\n  ${brackets}\n  - - - - - - - - - -\n---\nB`;
    expect(readSkillMd(text)).toEqual({
      name: brackets,
      description: `${brackets}\n- - - - - - - - - -\n`,
      instructions: 'B',
    });
  });

  it('of arbitrary bytes is either read or refused with 422', () => {
    const pieces = fc.constantFrom(
      '---\n',
      'name: ',
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      '"',
      '&a ',
      '*a',
      '!t ',
      '? ',
      '|',
      '>',
      '#',
      '%YAML 9\n',
      '...',
      '\t',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        faultsOf(`---\n${parts.join('')}\n---\nB`);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('SKILL.md over HTTP', () => {
  const { platform, client, foreign } = usePlatform();

  const MARKDOWN = { 'content-type': 'text/markdown' };
  const post = (body: RequestInit['body'], headers: Record<string, string> = MARKDOWN, by = client) =>
    by('POST', '/api/v1/skills/import', { body, headers });
  const file = (name: string) => EXAMPLE.replace('Summarise', name);

  it('has the same bytes when it is imported and exported, and when the export is imported and exported in another project', async () => {
    const imported = await post(file('Travels'));
    const skill = imported.body as Skill;
    expect([imported.status, imported.headers.get('location'), imported.headers.get('etag')]).toEqual([
      201,
      `/api/v1/skills/${skill.id}`,
      '"b-1"',
    ]);
    expect(skill).toMatchObject({ name: 'Travels', status: 'active', instructions: '# Summarise\n\nKeep names.' });
    expect((await platform.decisionsOn(skill.id)).map(({ action }) => action)).toEqual(['skill.create']);
    const exported = await client('GET', `/api/v1/skills/${skill.id}/skill.md`);
    expect(exported.text).toBe(file('Travels'));
    expect(Object.fromEntries(exported.headers)).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'content-disposition': 'inline; filename="SKILL.md"',
      etag: '"b-1"',
    });
    const again = (await post(exported.text, MARKDOWN, foreign)).body as Skill;
    expect((await foreign('GET', `/api/v1/skills/${again.id}/skill.md`)).text).toBe(exported.text);
  });

  it('is answered 304 without content when the request has the current entity tag', async () => {
    const { id } = (await post(file('Cached'))).body as Skill;
    const headers = { 'if-none-match': '"b-1"' };
    expect((await client('GET', `/api/v1/skills/${id}/skill.md`, { headers })).status).toBe(304);
  });

  it('creates one skill from two imports with the same Idempotency-Key, and answers 409 to a second import without a key', async () => {
    const keyed = { ...MARKDOWN, 'idempotency-key': 'import-once' };
    const answers = [await post(file('Once'), keyed), await post(file('Once'), keyed)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.headers.get('idempotent-replayed')).toBe('true');
    expect((await post(file('Other'), keyed)).status).toBe(409);
    expect((await post(file('Once'))).status).toBe(409);
  });

  it.each<[string, RequestInit['body'], Record<string, string>, number, string]>([
    ['as JSON', '{}', { 'content-type': 'application/json' }, 415, 'Content-Type: must be text/markdown'],
    ['of no type', Buffer.from('x'), {}, 415, 'Content-Type: must be text/markdown'],
    [
      'in another character set',
      'x',
      { 'content-type': 'text/markdown; charset=latin1' },
      415,
      'Content-Type: must be',
    ],
    ['that is empty', '', MARKDOWN, 422, 'front matter: must stand between'],
    ['that is not UTF-8', Buffer.from([0x2d, 0xff]), MARKDOWN, 422, 'body: must be UTF-8'],
    ['with NUL', '---\n\0', MARKDOWN, 422, 'body: must be text without NUL'],
    ['over 1 MiB', 'x'.repeat(1_048_577), MARKDOWN, 413, 'larger'],
    ['without a description', '---\nname: A\n---\nB', MARKDOWN, 422, 'description: is required'],
  ])('is refused when it is sent in a body %s', async (_what, body, headers, status, message) => {
    const answer = await post(body, headers);
    expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringContaining(message) as string]);
  });

  it('answers 405 to GET /skills/import', async () => {
    const answer = await client('GET', '/api/v1/skills/import');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
