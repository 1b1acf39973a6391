import { Button, Text } from '@mantine/core';
import { IconPinFilled, IconUsers } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { areaResource } from '../../api/areas.js';
import type { Conversations } from '../../api/runtime-records.js';
import { Failure } from '../../ui/failure.js';
import { SearchField } from '../../ui/search-field.js';
import { Time } from '../../ui/time.js';
import { TextShape } from '../../ui/loading.js';
import { ConversationMenu } from './conversation-menu.js';
import classes from './talk.module.css';

const PAGE = 30;

/** Maximum page size of the API. */
const MOST = 1_000;

export interface ConversationListProps {
  /** Slug of the agent whose conversations are listed; all conversations when undefined. */
  agent?: string;
  current: string | undefined;
  /** Returns the address of a conversation's page. */
  addressOf: (contextId: string, slug: string) => string;
  nameOf: (slug: string) => string;
  onOpen?: () => void;
  /** Called after the open conversation was deleted. */
  onDeleted: () => void;
}

/** The user's conversations with a search field: pinned conversations first, then the others, latest first. */
export function ConversationList({ agent, current, addressOf, nameOf, onOpen, onDeleted }: ConversationListProps) {
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const found = useQuery({
    ...areaResource<Conversations>('runtime', '/api/v1/contexts', {
      limit,
      ...(agent !== undefined && { agent }),
      ...(search !== '' && { search }),
    }),
    placeholderData: keepPreviousData,
  });
  const total = found.data?.total ?? 0;
  return (
    <div className={classes.list}>
      <SearchField label="Search conversations" value={search} onSearch={setSearch} />
      {found.error && <Failure error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <TextShape lines={6} />}
      {found.data?.items.length === 0 && (
        <Text size="sm" c="dimmed" px={8}>
          {search === '' ? 'No conversations yet.' : 'No conversation has this in its title.'}
        </Text>
      )}
      <ul className={classes.contexts} aria-label="Conversations">
        {found.data?.items.map((conversation) => {
          const { id, title, agent: slug, pinned, shared, updated_at } = conversation;
          return (
            <li key={id} className={classes.context} data-current={id === current || undefined}>
              <Link
                to={addressOf(id, slug)}
                className={classes.contextLink}
                onClick={onOpen}
                aria-current={id === current ? 'page' : undefined}
              >
                <span className={classes.contextTitle}>
                  {pinned && <IconPinFilled size={12} aria-label="Pinned" role="img" />}
                  {shared && <IconUsers size={12} aria-label="Shared" role="img" />}
                  <bdi>{title}</bdi>
                </span>
                <Text span size="xs" c="dimmed" className={classes.contextFacts}>
                  {agent === undefined && (
                    <>
                      <bdi>{nameOf(slug)}</bdi> ·{' '}
                    </>
                  )}
                  <Time at={updated_at} />
                </Text>
              </Link>
              <ConversationMenu conversation={conversation} onDeleted={id === current ? onDeleted : undefined} />
            </li>
          );
        })}
      </ul>
      {total > limit && limit < MOST && (
        <Button variant="subtle" color="gray" size="xs" onClick={() => setLimit((now) => Math.min(MOST, now + PAGE))}>
          Show more
        </Button>
      )}
    </div>
  );
}
