import { randomBytes } from 'node:crypto';
import { createDatabase, newId, type Database } from '@millwright/db';

const bytes = (count = 32) => new Uint8Array(randomBytes(count));

/** Part of every text that a person wrote or that names them. */
export const MARKER = 'Zzyxmarker';

/**
 * Creates rows of every kind that a person leaves behind. Each row contains the marker in its texts.
 * @returns the ids of the records that belong to the project and that an erasure keeps
 */
export async function leaveTraces(
  db: Database,
  userId: string,
  email: string,
): Promise<{ skill: string; prompt: string }> {
  const { prisma } = db;
  const [own, by] = [
    { user_id: userId, project: 'Core' },
    { created_by: userId, project: 'Core' },
  ];
  const expires_at = new Date('2099-01-01');
  const session = newId();
  await prisma.userSession.create({
    data: { id: session, user_id: userId, method: 'passkey', ip: MARKER, user_agent: MARKER, expires_at },
  });
  await prisma.platformAdminRequest.create({
    data: {
      id: newId(),
      user_id: (await prisma.user.findFirstOrThrow({ where: { id: { not: userId } } })).id,
      requested_by: userId,
      expires_at,
    },
  });
  const issuer = 'https://issuer.example';
  await prisma.ssoIdentity.create({ data: { id: newId(), issuer, subject: MARKER, user_id: userId } });
  await prisma.ssoSession.create({ data: { session_id: session, issuer, subject: MARKER, sid: MARKER } });
  const successor = {
    id: newId(),
    ...own,
    kind: 'api_key',
    public_id: newId().slice(-12),
    name: MARKER,
    scopes: ['*'],
  };
  await prisma.userApiKey.create({ data: { ...successor, secret_hash: bytes() } });
  await prisma.userApiKey.create({
    data: {
      ...successor,
      id: newId(),
      public_id: newId().slice(-11),
      secret_hash: bytes(),
      successor_id: successor.id,
    },
  });
  const client = { id: newId(), client_id: newId(), name: MARKER, redirect_uris: [`https://${MARKER}`], scopes: ['*'] };
  await prisma.oAuthClient.create({ data: { ...client, ...own, secret_hash: bytes() } });
  const grant = newId();
  await prisma.oAuthGrant.create({
    data: { id: grant, ...own, client_id: client.id, kind: 'authorization_code', scopes: ['*'] },
  });
  await prisma.oAuthRefreshToken.create({ data: { id: newId(), grant_id: grant, token_hash: bytes(), expires_at } });
  await prisma.passkey.create({
    data: {
      ...{ id: newId(), user_id: userId, credential_id: MARKER, public_key: bytes(), transports: [] },
      ...{ device_type: 'singleDevice', backed_up: false, aaguid: newId(), name: MARKER },
    },
  });
  await prisma.webAuthnCeremony.create({
    data: {
      ...{ id: newId(), kind: 'authentication', challenge: newId(), browser_hash: bytes(), email, expires_at },
      ...{ state: 'state', code_challenge: 'x'.repeat(43) },
    },
  });
  await prisma.accountNotice.create({ data: { id: newId(), user_id: userId, email, kind: 'email_changed' } });

  const context = newId();
  await prisma.context.create({ data: { id: context, ...own } });
  await prisma.contextMessage.create({
    data: { id: newId(), context_id: context, seq: 1, role: 'user', content: MARKER },
  });
  await prisma.task.create({
    data: {
      ...{ id: newId(), ...own, agent: 'a', context_id: context, state: 'completed' },
      ...{ message: { text: MARKER }, lease_until: new Date() },
    },
  });
  const run = newId();
  await prisma.run.create({
    data: {
      ...{ id: run, ...own, subject_kind: 'agent', subject_id: newId(), subject_name: 'a', channel: 'messages' },
      ...{ caller: { label: MARKER }, context_id: context, state: 'completed', ended_at: new Date() },
      ...{ input: { text: MARKER }, output: MARKER, metadata: { note: MARKER }, feedback_comment: MARKER },
    },
  });
  await prisma.runStep.create({
    data: { run_id: run, seq: 1, attempt: 1, kind: 'model', outcome: 'succeeded', answer: MARKER },
  });
  await prisma.approval.create({
    data: {
      ...{ id: newId(), ...own, run_id: run, asked_by: 1, call_id: 'c', agent: 'a', owner: 'pl_x', owner_name: 'Pay' },
      ...{
        tool: 'pay',
        parameters: {},
        arguments: MARKER,
        tool_hash: bytes(),
        hash: bytes(),
        tainted_by: [],
        expires_at,
      },
      ...{ state: 'refused', reason: MARKER, decided_by: userId, decided_at: new Date() },
    },
  });
  await prisma.runEvent.create({ data: { run_id: run, seq: 1, type: 'message.delta', data: { delta: MARKER } } });
  const trigger = newId();
  await prisma.trigger.create({
    data: {
      ...{ id: trigger, ...by, owner_id: userId, name: 't', kind: 'cron', agent: 'a', input: 'i', overlap: 'skip' },
      ...{ schedule: '0 9 * * *', timezone: 'UTC', rights: {} },
    },
  });
  await prisma.triggerFiring.create({
    data: {
      ...{ id: newId(), trigger_id: trigger, project: 'Core', number: 1, source: 'webhook', key: MARKER },
      ...{ at: new Date(), input: MARKER },
    },
  });
  const texts = { title: MARKER, description: MARKER, tags: [MARKER], log_message: MARKER, author: MARKER };
  const conversation = newId();
  await prisma.conversation.create({ data: { id: conversation, ...own, ...texts } });
  await prisma.recordCount.create({
    data: { project: 'Core', kind: 'conversations', status: 'published', slot: 3, n: 1 },
  });
  await prisma.conversationMessage.create({
    data: {
      ...{ id: newId(), conversation_id: conversation, seq: 1, role: 'user' },
      ...{ content: MARKER, model: 'm', author: MARKER },
    },
  });
  await prisma.storedResponse.create({
    data: { id: newId(), project: 'Core', conversation_id: conversation, seq: 1, body: { text: MARKER } },
  });
  await prisma.file.create({
    data: { id: newId(), ...by, path: MARKER, size: 1, content_type: 'text/plain', sha256: bytes() },
  });

  const usage = { ...own, kind: 'agent_message', model: 'm', prompt_tokens: 1, completion_tokens: 2 };
  await prisma.usageEvent.create({ data: { id: newId(), subject_id: newId(), ...usage } });
  await prisma.usageDay.create({ data: { ...usage, day: new Date('2026-01-01'), events: 1, cost_usd: '0.5' } });
  const [skill, prompt] = [newId(), newId()];
  await prisma.skill.create({ data: { id: skill, ...by, name: 's', description: 'd', instructions: 'i' } });
  const columns = { ...by, title: 't', description: 'd', tags: [], author: MARKER };
  const authored = { ...columns, log_message: '' };
  await prisma.block.create({ data: { id: newId(), ...authored, prefix: 'p', content: 'c' } });
  await prisma.artifact.create({ data: { id: newId(), ...authored, content: 'c' } });
  await prisma.prompt.create({ data: { id: prompt, ...columns } });
  await prisma.promptVersion.create({
    data: {
      ...{ prompt_id: prompt, version: 1, instruction: {}, input: {}, output: {}, metadata: {} },
      ...{ status: 'published', author: MARKER, created_by: userId },
    },
  });
  await prisma.promptLabel.create({
    data: { prompt_id: prompt, name: 'live', version: 1, author: MARKER, moved_by: userId },
  });
  return { skill, prompt };
}

/** Returns the rows of every table of the database as text. */
export async function dump({ prisma }: Database): Promise<string[]> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'pgboss')`;
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await prisma.$queryRawUnsafe<{ line: string }[]>(`SELECT t::text AS line FROM ${name} t`);
    lines.push(...rows.map(({ line }) => `${name} ${line}`));
  }
  return lines;
}

/** Creates a small pool with the statement timeout that commands use. */
export const openPool = (url: string): Database => createDatabase({ url, poolMax: 4 });
