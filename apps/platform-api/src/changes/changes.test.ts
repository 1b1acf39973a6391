import { decodeId } from '@millwright/db';
import { createHttpClient, messageOf, type ClientAnswer } from '@millwright/testing';
import { bearer } from '../test-platform.js';
import { usePlatform } from '../test-use-platform.js';

const { platform, client, foreign } = usePlatform();

interface Made {
  changes: { kind: string; action: string; id: string; etag: string | null }[];
}
const send = (changes: object[], headers: Record<string, string> = {}, by = client) =>
  by('POST', '/api/v1/changes', { json: { changes }, headers });
const madeBy = ({ body }: ClientAnswer) => (body as Made).changes;
const codeOf = ({ body }: ClientAnswer) => (body as { error: { code: string } }).error.code;

let names = 0;
const newName = () => `Changed ${++names}`;
const skill = (name = newName()) => ({ name, description: 'What it does', instructions: 'Do it.' });
const creates = (kind: string, fields: object, ref?: string) => ({
  kind,
  action: 'create',
  fields,
  ...(ref && { ref }),
});

async function stored(): Promise<{ id: string; etag: string }> {
  const { body, headers } = await client('POST', '/api/v1/skills', { json: skill() });
  return { id: (body as { id: string }).id, etag: headers.get('etag') ?? '' };
}
const counts = async () => ({
  skills: await platform.db.prisma.skill.count(),
  content: await platform.db.prisma.contentItem.count(),
  servers: await platform.db.prisma.mcpServer.count(),
  agents: await platform.db.prisma.agent.count(),
  audited: await platform.db.prisma.governanceDecision.count({ where: { decision: 'allow' } }),
  active: await platform.countOf('Core', 'skills', 'active'),
});

describe('POST /api/v1/changes', () => {
  it('creates records of each kind, resolves refs between them, and writes an audit entry for each record', async () => {
    const answer = await send([
      creates('skill', skill(), '@skill'),
      creates('content', { title: 'Mills', body: 'They grind.', tags: ['mills'] }),
      creates('mcp_server', { name: newName(), url: 'http://127.0.0.1:1/mcp' }, '@server'),
      creates('agent', { name: newName(), description: 'Is asked' }, '@callee'),
      creates('agent', {
        name: newName(),
        description: 'Asks',
        skill_ids: ['@skill'],
        mcp_server_ids: ['@server'],
        agent_ids: ['@callee'],
      }),
      { kind: 'skill', action: 'update', id: '@skill', fields: { status: 'inactive' } },
    ]);
    expect(answer.status).toBe(200);
    const made = madeBy(answer);
    const idAt = (index: number) => made[index]?.id ?? '';
    expect(made.map(({ kind, action, etag }) => [kind, action, etag])).toEqual([
      ['skill', 'create', '"b-1"'],
      ['content', 'create', '"b-1"'],
      ['mcp_server', 'create', '"b-1"'],
      ['agent', 'create', '"b-1"'],
      ['agent', 'create', '"b-1"'],
      ['skill', 'update', '"b-2"'],
    ]);
    expect((await client('GET', `/api/v1/agents/${idAt(4)}`)).body).toMatchObject({
      skill_ids: [idAt(0)],
      mcp_server_ids: [idAt(2)],
      agent_ids: [idAt(3)],
    });
    expect((await platform.decisionsOn(idAt(0))).map(({ action }) => action)).toEqual(['skill.create', 'skill.update']);
    expect((await platform.decisionsOn(idAt(4))).map(({ action }) => action)).toEqual(['agent.create']);
  });

  it('changes nothing when the third of five changes is refused, and the error names this change', async () => {
    const [first, second] = [await stored(), await stored()];
    const before = await counts();
    const answer = await send([
      { kind: 'skill', action: 'update', id: first.id, if_match: first.etag, fields: { description: 'Changed' } },
      creates('content', { title: 'Lost', body: 'Is rolled back.' }),
      { kind: 'skill', action: 'update', id: second.id, if_match: '"b-7"', fields: { description: 'Changed' } },
      { kind: 'skill', action: 'delete', id: first.id },
      creates('agent', { name: newName(), description: 'Is not made' }),
    ]);
    expect([answer.status, codeOf(answer)]).toEqual([412, 'precondition_failed']);
    expect(messageOf(answer)).toContain(' changes.2: ');
    expect(await counts()).toEqual(before);
    expect((await client('GET', `/api/v1/skills/${first.id}`)).body).toMatchObject({ description: 'What it does' });
  });

  it.each([
    [
      'a field of a shape that is not valid',
      creates('skill', { ...skill(), name: '' }),
      422,
      'changes.1.fields.name: ',
    ],
    ['a kind that does not exist', creates('spell', {}), 422, 'changes.1.kind: '],
    ['a record that does not exist', { kind: 'skill', action: 'delete', id: 'sk_x' }, 404, 'changes.1: '],
    [
      'a skill that does not exist',
      creates('agent', { name: 'Lost', description: '', skill_ids: ['sk_x'] }),
      422,
      'changes.1.fields.skill_ids: ',
    ],
    [
      'a ref of no earlier change',
      { kind: 'skill', action: 'update', id: '@later', fields: { description: 'x' } },
      422,
      'changes.1.id: ',
    ],
    ['a ref that is taken', creates('skill', skill(), '@first'), 422, 'changes.1.ref: '],
    [
      'the address of a server that may not be called',
      creates('mcp_server', { name: 'Inside', url: 'ftp://localhost' }),
      422,
      'changes.1.fields.url: ',
    ],
  ])('refuses %s, names the index of the change, and stores nothing', async (_case, change, status, text) => {
    const before = await counts();
    const answer = await send([creates('skill', skill(), '@first'), change]);
    expect(answer.status).toBe(status);
    expect(messageOf(answer)).toContain(text);
    expect(await counts()).toEqual(before);
  });

  it.each([
    ['no change', []],
    ['101 changes', Array.from({ length: 101 }, () => creates('skill', skill()))],
  ])('answers 422 for %s', async (_case, changes) => {
    const answer = await send(changes);
    expect(answer.status).toBe(422);
    expect(messageOf(answer)).toContain('changes: ');
  });

  it.each(['skill', 'content', 'mcp_server', 'agent'])(
    'answers 404 for a %s with the id of another kind of record',
    async (kind) => {
      for (const change of [{ action: 'delete' }, { action: 'update', fields: {} }])
        expect((await send([{ kind, ...change, id: 'resp_1' }])).status).toBe(404);
    },
  );

  it("answers 404 for another project's record", async () => {
    const { id } = await stored();
    const answer = await send([{ kind: 'skill', action: 'delete', id }], {}, foreign);
    expect(answer.status).toBe(404);
    expect((await client('GET', `/api/v1/skills/${id}`)).status).toBe(200);
  });

  it.each([
    ['skills:write', creates('skill', skill())],
    ['content:write', creates('content', { title: 'No', body: '' })],
    ['mcp:write', creates('mcp_server', { name: 'No', url: 'http://127.0.0.1:1/mcp' })],
    ['agents:write', creates('agent', { name: 'No', description: '' })],
  ])('answers 403 to a key without the scope %s, names the scope and records the attempt', async (scope, change) => {
    const others = ['skills:write', 'content:write', 'mcp:write', 'agents:write'].filter((other) => other !== scope);
    const by = createHttpClient(platform.url, bearer(await platform.issueKey({ scopes: others })));
    const refused = { where: { action: 'makeChanges', decision: 'deny' } };
    const before = await platform.db.prisma.governanceDecision.count(refused);
    const answer = await send([change], {}, by);
    expect(answer.status).toBe(403);
    expect(messageOf(answer)).toContain(`scope: ${scope} is missing`);
    expect(await platform.db.prisma.governanceDecision.count(refused)).toBe(before + 1);
  });

  it('answers 403 to a key without the scope admin that creates an MCP server with pin_tools: false', async () => {
    const fields = { name: newName(), url: 'http://127.0.0.1:1/mcp', pin_tools: false };
    const answer = await send([creates('mcp_server', fields)]);
    expect(answer.status).toBe(403);
    const admin = await platform.clientOf('Core', { admin: true });
    expect((await send([creates('mcp_server', fields)], {}, admin)).status).toBe(200);
  });

  it('answers a repeated Idempotency-Key with the stored answer, even when the changes deleted a record that they had changed', async () => {
    const fields = { name: newName(), url: 'http://127.0.0.1:1/mcp' };
    const [{ id } = { id: '' }] = madeBy(await send([creates('mcp_server', fields)]));
    const changes = [
      { kind: 'mcp_server', action: 'update', id, fields: { description: 'Will go' } },
      { kind: 'mcp_server', action: 'delete', id },
    ];
    const key = { 'Idempotency-Key': `changes-${++names}` };
    const [once, again] = [await send(changes, key), await send(changes, key)];
    expect([once.status, again.status, again.text]).toEqual([200, 200, once.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('makes its changes once for repeated requests with the same Idempotency-Key', async () => {
    const changes = [creates('skill', skill())];
    const key = { 'Idempotency-Key': `changes-${++names}` };
    const [once, again] = [await send(changes, key), await send(changes, key)];
    expect(again.body).toEqual(once.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const [{ id } = { id: '' }] = madeBy(once);
    const uuid = decodeId('sk', id) ?? '';
    expect(await platform.db.prisma.skill.count({ where: { id: uuid } })).toBe(1);
  });
});
