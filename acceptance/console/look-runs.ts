import { createDatabase } from '@millwright/db';
import type { FakeModel, ModelRequest } from '@millwright/testing';
import type { Page } from 'playwright-core';
import type { callers } from '../harness/calls.js';
import { storedRuns } from '../harness/stored-runs.js';

export interface Sight {
  name: string;
  path: string;
  /** Actions before the screenshot. */
  act?: (page: Page) => Promise<unknown>;
  /** Whether the screenshot shows the whole page, and not only its visible part. Default: true without `act`, else false. */
  isWhole?: boolean;
}

const LONG_TEXT = `${'Grind the rye of last week as fine as the miller asked, and weigh it twice. '.repeat(30)}${'W'.repeat(300)}`;

/** Adds a run in each state that the page of a run can show. */
export async function addRuns(databaseUrl: string): Promise<Sight[]> {
  const db = createDatabase({ url: databaseUrl, poolMax: 2 });
  try {
    const { id } = await db.prisma.user.findFirstOrThrow({ where: { email: 'admin@localhost' } });
    const store = storedRuns(db, { userId: id, kind: 'user', label: 'Admin' });
    const text = 'Weigh the rye';
    const sights: Sight[] = [];
    for (const end of ['running', 'waiting', 'failed', 'canceled', 'completed'] as const)
      sights.push({ name: `run-${end}`, path: await store({ name: 'Mill guide', end, pairs: 2, text }) });
    const many = { name: 'Mill guide', end: 'completed', text } as const;
    sights.push({ name: 'run-200-steps', path: await store({ ...many, pairs: 100 }) });
    sights.push({ name: 'run-long-texts', path: await store({ ...many, pairs: 2, text: LONG_TEXT, name: LONG_NAME }) });
    sights.push({ name: 'run-many-tools', path: await store({ ...many, pairs: 2, calls: 12 }) });
    return sights.map(({ name, path }) => ({ name, path: `/admin/runs/${path}`, act: openSteps, isWhole: true }));
  } finally {
    await db.close();
  }
}

const LONG_NAME = 'The guide who shows visitors around the mill, its wheel, its gears and its stones';

/** Opens the first steps of a run. */
async function openSteps(page: Page): Promise<void> {
  for (const place of [0, 1]) {
    const step = page.locator('main li details').nth(place);
    if ((await step.count()) > 0 && (await step.getAttribute('open')) === null) await step.locator('summary').click();
  }
  await page.evaluate('scrollTo(0, 0)');
}

interface AskedRun {
  id: string;
  context_id: string;
}

/** Adds runs whose tool calls wait for a person's decision. @returns the pages that show the calls: the inbox, the runs and the chats */
export async function addApproval(
  call: ReturnType<typeof callers>,
  model: FakeModel,
  server: string,
): Promise<Sight[]> {
  const path = `/mcp/servers/${server}/tools/rules`;
  const { body } = await call.platform<{ items: { name: string; hash: string }[] }>(path);
  const rules = body.items.map(({ name, hash }) => ({ name, hash, rule: 'ask' }));
  await call.platform(path, { method: 'PUT', body: { rules } });
  const usual = 'The sack weighs 52 kg.';
  model.answerWith(({ body: { messages, tools = [] } }: ModelRequest) => {
    const [first] = tools as { function: { name: string } }[];
    if (!first || !String(messages.at(-1)?.content).startsWith('Weigh')) return usual;
    const isFront = first.function.name.startsWith('ask_');
    const asked = isFront
      ? [{ message: 'Weigh the sacks of rye, please.' }]
      : [{ sack: 'rye 7', unit: 'kg' }, { sack: LONG_TEXT }];
    return {
      content: isFront ? 'I ask the guide of the mill.' : 'I weigh both sacks.',
      toolCalls: asked.map((args, index) => ({
        id: `call_${index}`,
        type: 'function',
        function: { name: first.function.name, arguments: JSON.stringify(args) },
      })),
    };
  });
  const { body: run } = await call.runtime<AskedRun>('/api/v1/runs', {
    body: { agent: 'mill-guide', content: 'Weigh the sacks of rye, please.' },
    headers: { Prefer: 'wait=30' },
  });
  const { items } = (await call.platform<{ items: { id: string; name: string }[] }>('/agents')).body;
  const guide = items.find(({ name }) => name === 'Mill guide')?.id;
  await call.platform('/agents', { body: { name: 'Front desk', description: 'Asks the guide.', agent_ids: [guide] } });
  const { body: above } = await call.runtime<AskedRun>('/api/v1/runs', {
    body: { agent: 'front-desk', content: 'Weigh the sacks of rye, please.' },
    headers: { Prefer: 'wait=30' },
  });
  const open = async (page: Page) => {
    const card = page.getByRole('group', { name: /^Approval of/ }).first();
    await card.getByRole('button', { name: 'Edit and approve' }).click();
    await card.getByRole('textbox').fill('{ "sack": ');
  };
  return [
    { name: 'approval-run', path: `/admin/runs/${run.id}` },
    { name: 'approval-inbox', path: '/admin/inbox' },
    { name: 'approval-edit', path: '/admin/inbox', act: open },
    { name: 'approval-chat', path: `/admin/talk/mill-guide/${run.context_id}` },
    { name: 'approval-below-chat', path: `/admin/talk/front-desk/${above.context_id}` },
    { name: 'approval-below-run', path: `/admin/runs/${above.id}` },
  ];
}
