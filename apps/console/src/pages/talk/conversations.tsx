import { Button, Skeleton, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { areaResource } from '../../api/areas.js';
import type { Contexts } from '../../api/runtime-records.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import classes from './talk.module.css';

const SHOWN = 30;

/** The user's conversations with the agent, latest first. */
export function Conversations({ agent, current }: { agent: string; current: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const contexts = useQuery(
    areaResource<Contexts>('runtime', `/api/v1/agents/${encodeURIComponent(agent)}/contexts`, { limit: SHOWN }),
  );
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
      <Section title="Your conversations">
        {contexts.error && <Failure error={contexts.error} retry={() => void contexts.refetch()} />}
        {contexts.isPending && <Skeleton height={60} aria-busy="true" aria-label="Loading" />}
        {contexts.data?.items.length === 0 && (
          <Text size="sm" c="dimmed">
            No conversations yet.
          </Text>
        )}
        <ul className={classes.contexts}>
          {contexts.data?.items.map(({ id, title, updated_at }) => (
            <li key={id}>
              <Link
                to={`/talk/${agent}/${id}`}
                className={classes.context}
                onClick={() => setOpen(false)}
                aria-current={id === current ? 'page' : undefined}
              >
                <span className={classes.contextTitle}>
                  <bdi>{title}</bdi>
                </span>
                <Text span size="xs" c="dimmed">
                  <Time at={updated_at} />
                </Text>
              </Link>
            </li>
          ))}
        </ul>
        {contexts.data && contexts.data.total > SHOWN && (
          <Text size="xs" c="dimmed" mt="xs">
            The latest {SHOWN} of {contexts.data.total.toLocaleString('en')}.
          </Text>
        )}
      </Section>
    </aside>
  );
}
