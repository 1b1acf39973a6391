import { CopyIcon } from './copy.js';
import classes from './code-block.module.css';

/** Something to paste elsewhere. `label` names it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className={classes.block}>
      <pre tabIndex={0} aria-label={label}>
        {code}
      </pre>
      <div className={classes.copy}>
        <CopyIcon value={code} label={label} />
      </div>
    </div>
  );
}
