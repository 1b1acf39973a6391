import type { Block } from '../blocks/blocks.contract.js';
import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, startTestApp, type CallOptions, type Failure, type TestApp } from '../test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Made {
  changes: { kind: string; action: string; id: string; etag: string | null }[];
}
const send = (changes: object[], options: CallOptions = {}) =>
  app.call<Made & Failure>('POST', '/v1/changes', { ...options, body: { changes } });
const prompt = (title: string, more: object = {}) => ({
  kind: 'prompt',
  action: 'create',
  fields: { ...greeting, input: {}, output: {}, metadata: { title }, ...more },
});
const block = (prefix: string) => ({ kind: 'block', action: 'create', fields: { prefix, content: 'x', metadata: {} } });
const counts = async () => ({
  prompts: await app.db.prisma.prompt.count(),
  versions: await app.db.prisma.promptVersion.count(),
  blocks: await app.db.prisma.block.count(),
  audited: await app.db.prisma.governanceDecision.count({ where: { decision: 'allow' } }),
});

describe('POST /v1/changes', () => {
  it('returns the stored answer to a retry with the same Idempotency-Key, even when the changes deleted their records', async () => {
    const made = await send([prompt('Goes')]);
    const [{ id } = { id: '' }] = made.body.changes;
    const changes = [
      { kind: 'prompt', action: 'update', id, fields: { instruction: { dynamic: 'Say goodbye.' } } },
      { kind: 'prompt', action: 'delete', id },
    ];
    const options = { headers: { 'idempotency-key': 'goes' } };
    const [once, again] = [await send(changes, options), await send(changes, options)];
    expect([once.status, again.status, again.body]).toEqual([200, 200, once.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('creates, updates and deletes blocks and prompts', async () => {
    const made = await send([
      block('brand'),
      prompt('First', { model_parameters: { temperature: 0.5 } }),
      prompt('Second'),
    ]);
    expect(made.status).toBe(200);
    const [brand, first, second] = made.body.changes;
    expect(made.body.changes.map(({ etag }) => etag)).toEqual(['"d-1"', '"d-1"', '"d-1"']);
    const changed = await send([
      { kind: 'block', action: 'update', id: brand?.id, if_match: '"d-1"', fields: { content: 'Mill' } },
      {
        kind: 'prompt',
        action: 'update',
        id: first?.id,
        if_match: '"d-1"',
        fields: { metadata: { title: 'Renamed' } },
      },
      { kind: 'prompt', action: 'delete', id: second?.id },
    ]);
    expect(changed.body.changes.map(({ etag }) => etag)).toEqual(['"d-2"', '"d-2"', null]);
    expect((await app.call<Block>('GET', `/v1/block/${brand?.id}`)).body.content).toBe('Mill');
    expect((await app.call<Prompt>('GET', `/v1/prompt/${first?.id}`)).body).toMatchObject({
      metadata: { title: 'Renamed', version: 2 },
      model_parameters: { temperature: 0.5 },
    });
    expect((await app.call('GET', `/v1/prompt/${second?.id}`)).status).toBe(404);
    const decisions = await app.db.prisma.governanceDecision.findMany({ where: { resource: first?.id ?? '' } });
    expect(decisions.map(({ action }) => action).sort()).toEqual(['prompt.create', 'prompt.update']);
  });

  it('changes nothing when the third of five changes is refused, and the error names this change', async () => {
    const made = await send([block('kept'), prompt('Kept')]);
    const [kept, title] = made.body.changes;
    const before = await counts();
    const { status, body } = await send([
      { kind: 'block', action: 'update', id: kept?.id, fields: { content: 'Changed' } },
      prompt('Lost'),
      block('kept'),
      { kind: 'prompt', action: 'delete', id: title?.id },
      block('other'),
    ]);
    expect([status, body.error?.code]).toEqual([409, 'conflict']);
    expect(body.message).toContain(' changes.2.fields.prefix: ');
    expect(await counts()).toEqual(before);
    expect((await app.call<Block>('GET', `/v1/block/${kept?.id}`)).body.content).toBe('x');
  });

  it.each([
    [
      'a schema that is not valid',
      prompt('Bad', { input: { schema: { type: 'colour' } } }),
      'changes.1.fields.input.schema',
    ],
    ['a field that is not valid', block('a-b'), 'changes.1.fields.prefix: '],
    ['a kind that does not exist', { ...block('a'), kind: 'spell' }, 'changes.1.kind: '],
    ['a ref of no earlier change', { kind: 'block', action: 'delete', id: '@later' }, 'changes.1.id: '],
  ])('refuses %s, names the index of the change, and stores nothing', async (_case, change, text) => {
    const before = await counts();
    const { status, body } = await send([block('unused'), change]);
    expect(status).toBe(400);
    expect(body.message).toContain(text);
    expect(await counts()).toEqual(before);
  });

  it('refuses a stale version with 412', async () => {
    const [made] = (await send([block('stale')])).body.changes;
    const update = { kind: 'block', action: 'update', id: made?.id, if_match: '"d-9"', fields: { content: 'y' } };
    const { status, body } = await send([update]);
    expect(status).toBe(412);
    expect(body.message).toContain(' changes.0: ');
  });

  it("answers 404 for another project's record", async () => {
    const [made] = (await send([block('foreign')])).body.changes;
    const key = await app.issueKey({ project: 'Commerce' });
    expect((await send([{ kind: 'block', action: 'delete', id: made?.id }], { key })).status).toBe(404);
  });

  it.each(['prompt', 'block'])(
    'answers 400 for a %s with a malformed id, as does a DELETE request for the same id',
    async (kind) => {
      const id = `resp_${'0'.repeat(22)}`;
      for (const change of [{ action: 'delete' }, { action: 'update', fields: {} }]) {
        const { status, body } = await send([{ kind, ...change, id }]);
        expect(status).toBe(400);
        expect(body.message).toContain('changes.0.id: must be an id');
      }
      expect((await app.call('DELETE', `/v1/${kind}/${id}`)).status).toBe(400);
    },
  );

  it.each([
    ['blocks:write', block('refused')],
    ['prompts:write', prompt('Refused')],
  ])('answers 403 to a key without the scope %s, and the error names the scope', async (scope, change) => {
    const others = ['blocks:read', 'blocks:write', 'prompts:write'].filter((other) => other !== scope);
    const { status, body } = await send([change], { key: await app.issueKey({ scopes: others }) });
    expect(status).toBe(403);
    expect(body.message).toContain(`scope: ${scope} is missing`);
  });

  it('refuses the deletion of a prompt with a protected label', async () => {
    const [made] = (await send([prompt('Live')])).body.changes;
    const label = `/v1/prompt/${made?.id}/label/production`;
    expect((await app.call('PUT', label, { body: { version: 1 } })).status).toBe(200);
    const { status } = await send([{ kind: 'prompt', action: 'delete', id: made?.id }]);
    expect(status).toBeGreaterThanOrEqual(400);
    expect((await app.call('GET', `/v1/prompt/${made?.id}`)).status).toBe(200);
  });
});
