import { createFakeModel, type FakeModel } from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import { GIF_IMAGE, JPEG_IMAGE, pngImage } from '@millwright/testing/images';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { callers } from '../harness/calls.js';
import { consoleEnv, faultsOfPages, signInToConsole, visibleFaults, type ConsolePage } from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';

let model: FakeModel;
let platform: Platform;
let browser: Browser;
let call: ReturnType<typeof callers>;
let openPage: (options?: BrowserContextOptions) => Promise<ConsolePage>;

beforeAll(async () => {
  model = await createFakeModel('A blue mill.');
  const env = { ...consoleEnv(model.url), MODEL_IMAGES: 'true' };
  [platform, browser] = await Promise.all([startPlatform({ env }), launchChromium()]);
  openPage = await signInToConsole(platform, browser, 'admin@localhost');
  call = callers(platform);
  await call.platform('/agents', { body: { name: 'Looker', description: 'Looks at pictures.' } });
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
  await model.close();
});

beforeEach(() => {
  model.requests.splice(0);
  model.answerWith('A blue mill.');
});

const PNG = pngImage(320, 200);
const png = { name: 'mill.png', mimeType: 'image/png', buffer: PNG };
const jpeg = { name: 'sail.jpg', mimeType: 'image/jpeg', buffer: JPEG_IMAGE };

async function chat(): Promise<ConsolePage> {
  const opened = await openPage();
  await opened.open('/admin/talk/looker');
  return opened;
}

const attached = (page: Page) => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
const mine = (page: Page) => page.getByRole('article', { name: 'You' });
const answer = (page: Page) => page.getByRole('article', { name: 'Looker' }).last();
const choose = (page: Page, ...files: object[]) => page.locator('form input[type=file]').setInputFiles(files as never);
const send = async (page: Page, text: string) => {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
  await answer(page).getByText('A blue mill.').waitFor();
};
/** Returns the width in pixels of an image on the page; 0 until the image is loaded. */
const widthOf = (image: Locator) =>
  image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth);
const isShown = (image: Locator) => until(async () => (await widthOf(image)) > 0 || undefined);
/** Returns the content of the user's message in the last request to the model. Images are reduced to their types. */
const asked = () =>
  JSON.parse(
    JSON.stringify(model.requests.at(-1)?.body.messages.at(-1)?.content).replaceAll(/;base64,[^"]*/g, ''),
  ) as unknown;
const seen = (type: string) => ({ type: 'image_url', image_url: { url: `data:${type}` } });

/** Pastes or drops files on the page. */
async function transfer(page: Page, event: 'paste' | 'drop', target: string, files: (typeof png)[]): Promise<void> {
  const given = files.map(({ buffer, ...file }) => ({ ...file, base64: buffer.toString('base64') }));
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    for (const { name, mimeType, base64 } of ${JSON.stringify(given)})
      data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name, { type: mimeType }));
    const options = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
    const event = ${event === 'paste' ? "new ClipboardEvent('paste', options)" : "new DragEvent('drop', options)"};
    document.querySelector(${JSON.stringify(target)}).dispatchEvent(event);
  })()`);
}

describe('images in the chat', () => {
  it('are chosen, shown, sent to the model with the text, and shown again after a reload', async () => {
    const { page, faults } = await chat();
    await choose(page, png, jpeg);
    await attached(page).nth(1).waitFor();
    await isShown(attached(page).first().locator('img'));
    await send(page, 'What is this?');
    expect(asked()).toEqual([{ type: 'text', text: 'What is this?' }, seen('image/png'), seen('image/jpeg')]);
    await page.waitForURL(/looker\/ctx_\w+$/);
    await page.reload();
    const images = mine(page).getByRole('list', { name: 'Images' }).locator('img');
    await isShown(images.nth(1));
    expect(await Promise.all([0, 1].map((n) => widthOf(images.nth(n))))).toEqual([320, 12]);

    await mine(page).getByRole('button', { name: 'Open mill.png' }).click();
    const dialog = page.getByRole('dialog', { name: 'mill.png' });
    await isShown(dialog.getByRole('img', { name: 'mill.png' }));
    expect(await visibleFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await answer(page).getByRole('link', { name: 'View run' }).click();
    await page.getByText(`(image/png, 320 × 200 pixels, ${PNG.length} B)`).waitFor();
    expect(faults).toEqual([]);
  });

  it('are shown on pages without serious accessibility faults (light on a wide screen, dark on a phone)', async () => {
    const { page } = await chat();
    await choose(page, png, jpeg);
    await attached(page).nth(1).waitFor();
    expect(await visibleFaults(page)).toEqual([]);
    await send(page, 'Look');
    await page.waitForURL(/looker\/ctx_\w+$/);
    const { pathname } = new URL(page.url());
    expect(await faultsOfPages(openPage, [pathname, pathname.replace('/admin/talk/looker', '/chat')])).toEqual([]);
  });

  it('can be pasted or dropped into the message, removed from it, and sent without a text', async () => {
    const { page, faults } = await chat();
    await transfer(page, 'paste', 'form textarea', [png]);
    await attached(page).first().waitFor();
    await transfer(page, 'drop', 'form textarea', [jpeg, { name: 'a.gif', mimeType: 'image/gif', buffer: GIF_IMAGE }]);
    await attached(page).nth(2).waitFor();
    await page.getByRole('button', { name: 'Remove sail.jpg' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await answer(page).getByText('A blue mill.').waitFor();
    expect(asked()).toEqual([seen('image/png'), seen('image/gif')]);
    expect(faults).toEqual([]);
  });

  it('are sent to the model again when their message is edited, and when its answer is requested again', async () => {
    const { page } = await chat();
    await choose(page, png);
    await attached(page).first().waitFor();
    await send(page, 'What is this?');
    await page.getByRole('button', { name: 'Edit message' }).click();
    await page.getByLabel('Edited message').fill('What colour is it?');
    await page.getByRole('button', { name: 'Send again' }).click();
    await until(() => Promise.resolve(model.requests.length === 2 || undefined));
    expect(asked()).toEqual([{ type: 'text', text: 'What colour is it?' }, seen('image/png')]);
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await until(() => Promise.resolve(model.requests.length === 3 || undefined));
    expect(asked()).toEqual([{ type: 'text', text: 'What colour is it?' }, seen('image/png')]);
    await isShown(mine(page).getByRole('list', { name: 'Images' }).locator('img').first());
  });

  it('are scaled down by the page when they are large', async () => {
    const { page } = await chat();
    await choose(page, { ...png, buffer: pngImage(4_096, 1_024, undefined, true) });
    await attached(page).first().waitFor();
    await send(page, 'Large');
    const { body } = await call.runtime<{ items: { id: string }[] }>('/api/v1/runs?agent=looker&limit=1');
    const run = await call.runtime<{ images: object[] }>(`/api/v1/runs/${body.items[0]?.id ?? ''}`);
    expect(run.body.images).toMatchObject([{ name: 'mill.png', width: 2_048, height: 512 }]);
  });

  it('are refused with the reason when they are damaged or too many', async () => {
    const { page } = await chat();
    await choose(page, { ...png, buffer: PNG.subarray(0, 60) });
    await page.getByText('mill.png cannot be shown: the image is damaged or incomplete.').waitFor();
    await choose(page, ...Array.from({ length: 11 }, () => jpeg));
    await page.getByText('A message can have 10 files.').waitFor();
    await choose(page, { name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from([0x50, 0x4b, 3, 4, 0xff]) });
    await page.getByText('a.zip is neither text nor a PNG, JPEG, WebP or GIF image.').waitFor();
    expect(await attached(page).count()).toBe(0);
  });

  it('are recognized by their content, not by a file name: HTML in a .png is text', async () => {
    const { page, faults } = await chat();
    await choose(page, { ...png, buffer: Buffer.from('<img src=x onerror=alert(1)>') });
    await attached(page).first().waitFor();
    expect(await attached(page).locator('img').count()).toBe(0);
    await send(page, 'Read this');
    expect(asked()).toBe('Read this\n\nFile "mill.png":\n```\n<img src=x onerror=alert(1)>\n```');
    expect(faults).toEqual([]);
  });

  it('are shown to another user only after their conversation is shared', async () => {
    const { page } = await chat();
    await choose(page, png);
    await attached(page).first().waitFor();
    await send(page, 'Share this');
    await page.waitForURL(/looker\/ctx_\w+$/);
    const context = page.url().split('/').at(-1) ?? '';
    await platform.operator('users', 'create', '--email', 'rita@localhost', '--name', 'Rita', '--role', 'user');
    const openOther = await signInToConsole(platform, browser, 'rita@localhost', 'New conversation');
    const { page: other, faults, open } = await openOther();
    await open(`/chat/${context}`);
    await other.getByRole('heading', { name: 'Conversation not found' }).waitFor();
    const [image] = await imagesOf(context);
    const path = `/admin/api/areas/runtime/api/v1/contexts/${context}/images/${image?.id ?? ''}`;
    const statusOf = (at: Page) => at.evaluate<number>(`fetch(${JSON.stringify(path)}).then(({ status }) => status)`);
    expect([await statusOf(page), await statusOf(other)]).toEqual([200, 404]);

    await page.evaluate(`fetch('/admin/api/areas/runtime/api/v1/contexts/${context}', {
      method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"shared":true}' })`);
    await open(`/chat/${context}`);
    await isShown(mine(other).getByRole('list', { name: 'Images' }).locator('img').first());
    expect(await visibleFaults(other)).toEqual([]);
    expect([await statusOf(other), faults]).toEqual([200, []]);

    async function imagesOf(id: string): Promise<{ id: string }[]> {
      return page.evaluate<{ id: string }[]>(
        `fetch('/admin/api/areas/runtime/api/v1/contexts/${id}').then((answer) => answer.json()).then(({ messages }) => messages[0].images)`,
      );
    }
  });
});
