import { CopyIcon } from './copy.js';
import classes from './code-block.module.css';

/** Something to paste elsewhere. `label` names it. */
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
