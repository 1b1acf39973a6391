import { Button } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock, type CodeBlockProps } from './code-block.js';
import { foldedText } from './folded-text.js';

/** A code block whose long text is folded, with a button that shows all of it. */
export function FoldedCode({ code, ...props }: CodeBlockProps) {
  const [isWhole, setWhole] = useState(false);
  const { text, hidden } = foldedText(code);
  if (hidden === 0) return <CodeBlock code={code} {...props} />;
  return (
    <div>
      <CodeBlock code={isWhole ? code : `${text} …`} copied={code} {...props} />
      <Button variant="subtle" size="compact-xs" mt={4} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : `Show all: ${hidden.toLocaleString('en')} more characters`}
      </Button>
    </div>
  );
}
