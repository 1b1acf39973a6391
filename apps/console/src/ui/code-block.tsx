import { CopyIcon } from './copy.js';
import classes from './code-block.module.css';

/** Text to copy. `label` names it for screen readers. */
export function CodeBlock({ code, label, title = label }: { code: string; label: string; title?: string }) {
  return (
    <div className={classes.block}>
      <div className={classes.bar}>
        <span className={classes.title}>{title}</span>
        <CopyIcon value={code} label={label} />
      </div>
      <pre tabIndex={0} aria-label={label}>
        {code}
      </pre>
    </div>
  );
}
