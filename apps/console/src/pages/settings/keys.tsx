import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resource, send } from '../../api/api.js';
import type { IssuedKey, Items, Key, Me } from '../../api/admin-records.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { showSecret } from '../../ui/show-secret.js';
import { useAction } from '../../ui/use-action.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { askOverlap, type ChosenRotation } from './ask-overlap.js';
import { keyColumns } from './key-columns.js';
import { NewKey } from './new-key.js';
import { RevokeButton } from './revoke-button.js';

const TEXTS = {
  api_key: {
    noun: 'key',
    title: 'API keys',
    text: 'Keys call the platform, runtime and prompt APIs on your behalf.',
    create: 'Create API key',
    issued: 'Your new API key',
    secret: 'Store it in a secret store or your program’s environment, not in its source.',
    empty: 'No API keys yet',
    hint: 'Create one for each program, with only the permissions it needs.',
  },
  pat: {
    noun: 'token',
    title: 'Access tokens',
    text: 'For the CLI on machines without a browser.',
    create: 'Create token',
    issued: 'Your new token',
    secret: 'Store it where the CLI reads it.',
    empty: 'No access tokens yet',
    hint: 'Create one for each machine.',
  },
} as const;

export function Keys({ kind, me }: { kind: Key['kind']; me: Me }) {
  const texts = TEXTS[kind];
  const { values, set } = useUrlState(['new', 'tab']);
  const [isAsked, setCreating] = useState(false);
  const isCreating = isAsked || (kind === 'api_key' && values.new === 'key');
  const close = () => {
    setCreating(false);
    if (values.new !== '') set({ new: null });
  };
  const keys = useQuery({
    ...resource<Items<Key>>('/keys'),
    select: ({ items }) => ({ items: items.filter((key) => key.kind === kind) }),
  });
  const show = ({ key }: IssuedKey) =>
    showSecret({ title: texts.issued, secret: key, copy: `Copy ${texts.noun}`, text: texts.secret });
  const rotate = useAction(
    ({ id, ...chosen }: ChosenRotation & { id: string }) => send<IssuedKey>('POST', `/keys/${id}/rotate`, chosen),
    { refresh: [['keys']], onDone: show },
  );
  const revoke = useAction((id: string) => send('DELETE', `/keys/${id}`), {
    refresh: [['keys']],
    done: `The ${texts.noun} is revoked.`,
  });

  const askToRotate = ({ id, name }: Key) =>
    askOverlap({ name, kind: texts.noun, work: (chosen) => rotate.mutateAsync({ id, ...chosen }) });
  const askToRevoke = ({ id, name }: Key) =>
    confirm({
      title: `Revoke this ${texts.noun}?`,
      text: (
        <>
          Requests with <bdi>{name}</bdi> will fail immediately. This cannot be undone.
        </>
      ),
      action: `Revoke ${texts.noun}`,
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
                  <RevokeButton name={key.name} onClick={() => askToRevoke(key)} />
                </>
              ),
          },
        ]}
        query={keys}
        rowKey={({ id }) => id}
        isFaded={(key) => !isLive(key)}
        empty={{ title: texts.empty, text: texts.hint }}
      />
      <NewKey kind={kind} me={me} opened={isCreating} close={close} onIssued={show} />
    </Section>
  );
}

const isLive = ({ revoked_at, expires_at }: Key) =>
  revoked_at === null && (expires_at === null || new Date(expires_at) > new Date());
