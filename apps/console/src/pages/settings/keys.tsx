import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resource, send } from '../../api/api.js';
import type { Items, Key, Me } from '../../api/records.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { showSecret } from '../../ui/show-secret.js';
import { useAction } from '../../ui/use-action.js';
import { askOverlap } from './ask-overlap.js';
import { keyColumns } from './key-columns.js';
import { NewKey } from './new-key.js';

/** A key with its secret, as it is answered once. */
export type IssuedKey = Key & { key: string };

const TEXTS = {
  api_key: {
    title: 'API keys',
    text: 'They open the platform and prompt APIs in your name.',
    create: 'Create API key',
    secret: 'Your new API key',
    empty: 'No API key yet',
    hint: 'Make one for each program, with no more rights than it needs.',
  },
  pat: {
    title: 'Personal access tokens',
    text: 'They sign in the command line as you.',
    create: 'Create token',
    secret: 'Your new token',
    empty: 'No token yet',
    hint: 'Make one where the command line cannot open a browser.',
  },
} as const;

export function Keys({ kind, me }: { kind: Key['kind']; me: Me }) {
  const texts = TEXTS[kind];
  const [isCreating, setCreating] = useState(false);
  const keys = useQuery({
    ...resource<Items<Key>>('/keys'),
    select: ({ items }) => ({ items: items.filter((key) => key.kind === kind) }),
  });
  const show = ({ key }: IssuedKey) =>
    showSecret({ title: texts.secret, secret: key, copy: 'Copy', text: secretText(kind) });
  const rotate = useAction(
    ({ id, overlap_hours }: { id: string; overlap_hours: number }) =>
      send<IssuedKey>('POST', `/keys/${id}/rotate`, { overlap_hours }),
    { refresh: [['keys']], onDone: show },
  );
  const revoke = useAction((id: string) => send('DELETE', `/keys/${id}`), {
    refresh: [['keys']],
    done: 'It is revoked.',
  });

  const askToRotate = ({ id, name }: Key) =>
    askOverlap({ name, work: (overlap_hours) => rotate.mutateAsync({ id, overlap_hours }) });
  const askToRevoke = ({ id, name }: Key) =>
    confirm({
      title: `Revoke this ${kind === 'pat' ? 'token' : 'key'}?`,
      text: (
        <>
          Whatever uses <bdi>{name}</bdi> is refused from its next request on. This cannot be undone.
        </>
      ),
      action: 'Revoke',
      work: () => revoke.mutateAsync(id),
    });

  return (
    <Section
      title={texts.title}
      text={texts.text}
      flush
      actions={
        <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setCreating(true)}>
          {texts.create}
        </Button>
      }
    >
      <DataTable
        label={texts.title}
        columns={[
          ...keyColumns(kind),
          {
            title: 'Actions',
            isActions: true,
            render: (key: Key) =>
              isLive(key) && (
                <>
                  {key.successor_id === null && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={() => askToRotate(key)}
                      aria-label={`Rotate ${key.name}`}
                    >
                      Rotate
                    </Button>
                  )}
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => askToRevoke(key)}
                    aria-label={`Revoke ${key.name}`}
                  >
                    Revoke
                  </Button>
                </>
              ),
          },
        ]}
        query={keys}
        rowKey={({ id }) => id}
        isFaded={(key) => !isLive(key)}
        empty={{ title: texts.empty, text: texts.hint }}
      />
      <NewKey kind={kind} me={me} opened={isCreating} close={() => setCreating(false)} onIssued={show} />
    </Section>
  );
}

const secretText = (kind: Key['kind']) =>
  kind === 'pat'
    ? 'Put it where the command line finds it.'
    : 'Put it where your program finds it: in a secret store or its environment, not in its source.';

const isLive = ({ revoked_at, expires_at }: Key) =>
  revoked_at === null && (expires_at === null || new Date(expires_at) > new Date());
