import { Badge, Button, Text } from '@mantine/core';
import { IconCheck, IconCode } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { CodeBlock } from '../../ui/code-block.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { TextShape } from '../../ui/loading.js';
import classes from './step.module.css';

export interface StepProps {
  title: string;
  text: ReactNode;
  /** Whether the step is done; undefined while loading. */
  isDone: boolean | undefined;
  /** Whether the setup is complete without this step. */
  isOptional?: boolean;
  /** Result of the step, in one line. */
  done: ReactNode;
  error: Error | null;
  /** Whether this is the next step to do. The API call of the next step is unfolded. */
  isNext?: boolean;
  /** Code of the step's API call. */
  code?: string | undefined;
  /** The form or button; hidden when the step is done. */
  children?: ReactNode;
  /** Content that stays after the step is done. */
  stays?: ReactNode;
}

/** A step of "Get started". */
export function Step({
  title,
  text,
  isDone,
  done,
  error,
  isNext = false,
  code,
  children,
  stays,
  isOptional = false,
}: StepProps) {
  const id = useId();
  const [isShown, setShown] = useState<boolean>();
  const isCodeShown = isShown ?? isNext;
  const actions = (
    <>
      {isDone === true && (
        <Text size="sm" component="div">
          {done}
        </Text>
      )}
      {code !== undefined && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconCode size={15} stroke={1.7} />}
          aria-expanded={isCodeShown}
          aria-controls={id}
          onClick={() => setShown(!isCodeShown)}
        >
          Show curl
        </Button>
      )}
      {isDone !== undefined && <State isDone={isDone} isOptional={isOptional} />}
    </>
  );
  return (
    <Section title={title} actions={actions} flush>
      <div className={classes.body}>
        {isDone !== true && (
          <Text size="sm" c="dimmed" maw={600}>
            {text}
          </Text>
        )}
        {error && isDone === undefined && <Failure error={error} />}
        {!error && isDone === undefined && <TextShape lines={2} />}
        {isDone === false && children}
        {stays}
        <div id={id} hidden={!isCodeShown}>
          {code !== undefined && <CodeBlock label={`call: ${title.replace(/^\d+\. /, '')}`} code={code} />}
        </div>
      </div>
    </Section>
  );
}

function State({ isDone, isOptional }: { isDone: boolean; isOptional: boolean }) {
  if (!isDone) return <Badge color="gray">{isOptional ? 'Optional' : 'To do'}</Badge>;
  return <Badge leftSection={<IconCheck size={12} aria-hidden />}>Done</Badge>;
}
