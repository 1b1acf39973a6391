import { Fragment, type ReactNode } from 'react';
import { CodeBlock } from '../../ui/code-block.js';
import { partsOf, type Inline } from './markdown.js';
import classes from './talk.module.css';

/** A model's text: paragraphs, lists, code and emphasis. Other Markdown, and all HTML, is shown as plain text. */
export function MessageText({ text }: { text: string }) {
  return (
    <div className={classes.text}>
      {partsOf(text).map((part, index) => {
        switch (part.kind) {
          case 'code':
            return <CodeBlock key={index} code={part.text} label={`code ${index + 1}`} />;
          case 'list': {
            const Tag = part.isOrdered ? 'ol' : 'ul';
            return (
              <Tag key={index} {...(part.isOrdered && { start: part.start })}>
                {part.items.map((item, at) => (
                  <li key={at}>{inlines(item)}</li>
                ))}
              </Tag>
            );
          }
          case 'heading':
            return (
              <p key={index} className={classes.heading}>
                {inlines(part.content)}
              </p>
            );
          case 'text':
            return <p key={index}>{inlines(part.content)}</p>;
        }
      })}
    </div>
  );
}

function inlines(content: readonly Inline[]): ReactNode {
  return content.map(({ kind, text }, index) => {
    if (kind === 'code') return <code key={index}>{text}</code>;
    if (kind === 'strong') return <strong key={index}>{text}</strong>;
    if (kind === 'em') return <em key={index}>{text}</em>;
    return <Fragment key={index}>{text}</Fragment>;
  });
}
