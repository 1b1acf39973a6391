import { Fragment, useContext, type MouseEvent, type ReactNode } from 'react';
import { CodeBlock } from './code-block.js';
import { LinkOpener } from './link-opener.js';
import { parseMarkdown, type Block, type Cell, type Inline } from './markdown.js';
import classes from './message-text.module.css';

/** Untrusted Markdown: no HTML, no images, links open in a new tab without a referrer. */
export function MarkdownView({ text }: { text: string }) {
  return blocksOf(parseMarkdown(text));
}

const blocksOf = (blocks: readonly Block[]): ReactNode =>
  blocks.map((block, index) => <Fragment key={index}>{blockOf(block, index + 1)}</Fragment>);

function blockOf(block: Block, place: number): ReactNode {
  switch (block.kind) {
    case 'code':
      return <CodeBlock code={block.text} label={`code block ${place}`} title={block.language || 'Code'} />;
    case 'quote':
      return <blockquote>{blocksOf(block.content)}</blockquote>;
    case 'list': {
      const Tag = block.start === undefined ? 'ul' : 'ol';
      return (
        <Tag start={block.start}>
          {block.items.map((item, index) => (
            <li key={index}>{itemOf(item)}</li>
          ))}
        </Tag>
      );
    }
    case 'table':
      return (
        <div className={classes.scroll} tabIndex={0} role="group" aria-label={`Table ${place}`}>
          <table>
            <thead>
              <tr>{cellsOf(block.head, 'th')}</tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>{cellsOf(row, 'td')}</tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'rule':
      return <hr />;
    case 'heading':
      return <p className={classes.heading}>{inlinesOf(block.content)}</p>;
    case 'paragraph':
      return <p>{inlinesOf(block.content)}</p>;
  }
}

/** Puts the first paragraph of a list item on the line of its marker. */
function itemOf([first, ...others]: readonly Block[]): ReactNode {
  if (first?.kind !== 'paragraph') return blocksOf(first ? [first, ...others] : []);
  return (
    <>
      <span className={classes.line}>{inlinesOf(first.content)}</span>
      {blocksOf(others)}
    </>
  );
}

const cellsOf = (cells: readonly Cell[], Tag: 'th' | 'td'): ReactNode =>
  cells.map(({ align, content }, index) => (
    <Tag key={index} data-align={align} {...(Tag === 'th' && { scope: 'col' })}>
      {inlinesOf(content)}
    </Tag>
  ));

function inlinesOf(content: readonly Inline[]): ReactNode {
  return content.map((part, index) => <Fragment key={index}>{inlineOf(part)}</Fragment>);
}

function inlineOf(part: Inline): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
      return <code>{part.text}</code>;
    case 'break':
      return <br />;
    case 'link':
      return <TextLink href={part.href}>{inlinesOf(part.content)}</TextLink>;
    default: {
      const Tag = part.kind;
      return <Tag>{inlinesOf(part.content)}</Tag>;
    }
  }
}

function TextLink({ href, children }: { href: string; children: ReactNode }) {
  const open = useContext(LinkOpener);
  const click = (event: MouseEvent) => {
    // With a modifier key, the browser itself opens a tab or a window, or saves the page.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (open(href)) event.preventDefault();
  };
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" onClick={click}>
      {children}
    </a>
  );
}
