import { escapeHtml } from '@millwright/pages';
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { Marked } from 'marked';
import { anchorOf } from './page.js';

const LANGUAGES = { sh: bash, json, python, ts: typescript, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);

/** Returns the HTML of a code block, with a class for each kind of word. */
const highlighted = (code: string, language: string): string =>
  language in LANGUAGES ? highlighter.highlight(code, { language }).value : escapeHtml(code);

/**
 * Renders a page's Markdown as HTML: GitHub's dialect, without HTML inside.
 * @param linkOf returns the address of a link; `undefined` when the site has no page for it, so that only the link's text remains
 */
export function renderMarkdown(markdown: string, linkOf: (href: string) => string | undefined): string {
  const anchors = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const anchor = uniqueAnchor(anchors, text);
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${content}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = linkOf(href);
        return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`;
      },
      code({ text, lang = '' }) {
        // `sh skip` is the language of commands that the tests do not run.
        const code = highlighted(text, lang.split(' ')[0] ?? '');
        return `<pre tabindex="0"><code>${code}\n</code></pre>\n`;
      },
      // A line break is possible inside long names, such as after `_` in `payload_too_large`.
      codespan: ({ text }) => `<code>${escapeHtml(text).replaceAll(/[_/-](?=\w)|\.(?=[a-z])/g, '$&<wbr>')}</code>`,
      html: ({ text }) => escapeHtml(text),
      image: ({ text }) => escapeHtml(text),
    },
  });
  const html = marked.parse(markdown, { async: false });
  return html
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll(/ align="(left|center|right)"/g, ' class="$1"');
}

function uniqueAnchor(used: Map<string, number>, heading: string): string {
  const anchor = anchorOf(heading);
  const count = used.get(anchor) ?? 0;
  used.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}
