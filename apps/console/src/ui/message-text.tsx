import { lazy, memo, Suspense } from 'react';
import classes from './message-text.module.css';

const MarkdownView = lazy(async () => ({ default: (await import('./markdown-view.js')).MarkdownView }));

/** A model's text, rendered as Markdown; plain text until the code for Markdown is loaded. */
export const MessageText = memo(function MessageText({ text }: { text: string }) {
  return (
    <div className={classes.text}>
      <Suspense fallback={<p>{text}</p>}>
        <MarkdownView text={text} />
      </Suspense>
    </div>
  );
});
