import { CopyIcon } from './copy.js';
import classes from './code-block.module.css';

export interface CodeBlockProps {
  code: string;
  /** Name of the block for screen readers. */
  label: string;
  title?: string;
  /** The full text to copy, when only its beginning is shown. */
  copied?: string;
}

/** Shows code with a button that copies it. */
export function CodeBlock({ code, label, title = label, copied = code }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      <div className={classes.bar}>
        <span className={classes.title}>{title}</span>
        <CopyIcon value={copied} label={label} />
      </div>
      <pre tabIndex={0} aria-label={label}>
        {code}
      </pre>
    </div>
  );
}
