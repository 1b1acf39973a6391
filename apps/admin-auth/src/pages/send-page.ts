import { escapeHtml, type Page } from '@millwright/pages';
import type { Response } from 'express';
import type { ConsoleFiles } from './console-files.js';
import { sendHtml } from './send-html.js';

/**
 * Answers with a page; `formAction` is a further target of its form. Pages with a one-time token in their address send no Referer. Only
 * forms would need a Referer, and these pages have no forms.
 */
export type SendPage = (
  response: Response,
  status: number,
  page: Page,
  options?: { formAction?: string | undefined; isReferrerSent?: boolean },
) => void;

/** Creates the function that sends the pages outside the console. apps/console/src/sign-in renders these pages. */
export function createSendPage({ signIn }: Pick<ConsoleFiles, 'signIn'>, baseUrl: string): SendPage {
  return (response, status, page, { formAction, isReferrerSent = true } = {}) =>
    sendHtml(response, status, signIn, {
      baseUrl,
      filled: {
        TITLE: escapeHtml(page.title),
        TEXT: textOf(page).map(escapeHtml).join('</p><p>'),
        PAGE: inScript(page),
      },
      formAction,
      isReferrerSent,
    });
}

/** Returns the text that is displayed before the script of the page runs. */
function textOf(page: Page): string[] {
  if (page.name === 'notice') return page.data.text;
  return page.name === 'login' || page.name === 'setup-link' ? ['Processing...'] : [];
}

/** Returns the page as JSON without the character `<`, which could end a script element or begin a comment in it (HTML §4.12.1.3). */
const inScript = (page: Page) => JSON.stringify(page).replaceAll('<', '\\u003c');
