import { sendPlainPage } from '@millwright/http/protocol';
import type { Response } from 'express';

/** The page for a person whose browser cannot be sent back to the application. */
export function sendErrorPage(response: Response, text: string): void {
  sendPlainPage(response, {
    status: 400,
    title: 'Authorization failed',
    paragraphs: [
      text,
      "Nothing was shared. Go back to the application and start again. If it fails again, contact the app's developer.",
    ],
  });
}
