import { sendPlainPage } from '@millwright/http/protocol';
import type { Response } from 'express';

export interface ConnectionPage {
  status: 200 | 400 | 403 | 404 | 502;
  title: string;
  text: readonly string[];
}

/** Sends the page that ends the connecting of an account. It contains no text that the upstream sent. */
export function sendConnectionPage(response: Response, { status, title, text }: ConnectionPage): void {
  sendPlainPage(response, { status, title, paragraphs: text });
}

/** An error that ends a step of connecting an account, and is shown as a page. */
export class EndsWithPage extends Error {
  override readonly name = 'EndsWithPage';
  readonly page: ConnectionPage;

  constructor(page: ConnectionPage, options: { cause?: unknown } = {}) {
    super(page.title, options);
    this.page = page;
  }
}

export const NO_SERVER: ConnectionPage = {
  status: 404,
  title: 'Nothing to connect to',
  text: ['No MCP server of your project with this address uses your own account.'],
};

export const NOT_BEGUN_HERE: ConnectionPage = {
  status: 400,
  title: 'Start the connection again',
  text: [
    'It was started in another browser, was finished before, or took more than fifteen minutes.',
    'Nothing was connected. Open the link to connect once more.',
  ],
};

export const DENIED: ConnectionPage = {
  status: 403,
  title: 'Nothing was connected',
  text: ['Access was refused. If that was a mistake, open the link to connect once more.'],
};

export const NOT_BELIEVED: ConnectionPage = {
  status: 400,
  title: 'Nothing was connected',
  text: [
    'The response is from another authorization server than the one that you were sent to, so it was not used.',
    'Contact whoever added the MCP server.',
  ],
};

export const cannotConnect = (reason: string): ConnectionPage => ({
  status: 502,
  title: 'Nothing was connected',
  text: [reason, 'Try again later, or contact whoever added the MCP server.'],
});

export const connected = (name: string): ConnectionPage => ({
  status: 200,
  title: 'Connected',
  text: [
    // The marks isolate the name, so that right-to-left letters in it do not reorder the sentence.
    `Your account at \u2068${name}\u2069 is connected. Agents and programs that act for you here may use it from now on.`,
    'Close this page. Runs that wait for the account go on; repeat what else needed it.',
  ],
});
