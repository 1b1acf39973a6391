import { createHash } from 'node:crypto';
import { createHttpClient, listen } from '@millwright/testing';
import express from 'express';
import { sendPlainPage } from './plain-page.js';

describe('sendPlainPage', () => {
  it('answers with escaped text, and with a policy that allows its own style and nothing else', async () => {
    const app = express();
    app.get('/', (_request, response) =>
      sendPlainPage(response, { status: 404, title: '<Nothing>', paragraphs: ['a & b', '<script>alert(1)</script>'] }),
    );
    const site = await listen(app);
    try {
      const { status, headers, text } = await createHttpClient(site.url)('GET', '/');
      const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      expect(status).toBe(404);
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
      );
      expect(text).toContain('<h1>&#60;Nothing&#62;</h1>');
      expect(text).toContain('<p>a &#38; b</p>');
      expect(text).not.toContain('<script>');
    } finally {
      await site.close();
    }
  });
});
