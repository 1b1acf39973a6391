import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Section } from '../../ui/section.js';
import classes from './talk.module.css';

/** The user's conversations beside a chat; on narrow screens behind a button. */
export function FoldedList({ children }: { children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <aside className={classes.aside} data-open={isOpen}>
      <Button
        variant="default"
        fullWidth
        className={classes.toggle}
        leftSection={<IconHistory size={16} stroke={1.7} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Your conversations
      </Button>
      <Section title="Your conversations">{children(() => setOpen(false))}</Section>
    </aside>
  );
}
