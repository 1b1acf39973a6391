import { queueNotice } from '@millwright/accounts';
import { createLogger } from '@millwright/http/process';
import { createMailServer, createTestDatabase, type MailServer, type TestDatabase } from '@millwright/testing';
import { createSmtpSender } from '../magic-link/senders.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { sendNotices } from './send-notices.js';

let database: TestDatabase;
let site: TestConsole;
let mail: MailServer;
let lines: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  mail = await createMailServer();
  lines = [];
});
afterEach(async () => {
  await mail.close();
  await site.close();
  await database.drop();
});

const queue = async (email: string) => {
  const user = await site.addUser({ email });
  await site.db.transaction((tx) => queueNotice(tx, { id: user.id, email }, 'email_changed', { requestId: 'req-7' }));
};
async function send(): Promise<void> {
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', level: 'trace', version: 'test', destination });
  const sender = createSmtpSender({ url: mail.url, from: 'mw@example.com' });
  await sendNotices({ db: site.db, sender, logger, baseUrl: 'https://mw.example' });
  await sender.close?.();
}
const waiting = () => site.db.prisma.accountNotice.findMany();

describe('sendNotices', () => {
  it('sends each message once when several processes send concurrently', async () => {
    for (let n = 0; n < 5; n++) await queue(`user${n}@example.com`);
    await Promise.all([send(), send(), send()]);
    const sentTo = mail.mails.map(({ to }) => to.join()).sort();
    expect(sentTo).toEqual([0, 1, 2, 3, 4].map((n) => `user${n}@example.com`));
    expect(mail.mails[0]?.data).toContain('Subject: The address of your account was changed');
    expect(await waiting()).toEqual([]);
  });

  it('keeps a message for a later try when the mail server refuses it', async () => {
    await queue('later@example.com');
    mail.behave('reject');
    await send();
    expect(await waiting()).toMatchObject([{ email: 'later@example.com', tries: 1 }]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { event: 'account.notice_failed', kind: 'email_changed', channel: 'smtp', request_id: 'req-7' },
    ]);
    mail.behave('accept');
    await send();
    expect(mail.mails).toEqual([]);
    await site.db.prisma.accountNotice.updateMany({ data: { due_at: new Date() } });
    await send();
    expect([mail.mails.length, await waiting()]).toEqual([1, []]);
  });
});
