import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconLink, IconPencil, IconPin, IconPinnedOff, IconTrash, IconUsers } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { askArea } from '../../api/areas.js';
import { invalidate } from '../../api/invalidate.js';
import { CONVERSATIONS, type Conversation } from '../../api/runtime-records.js';
import { askName } from '../../ui/ask-name.js';
import { confirm } from '../../ui/confirm.js';
import { showFailure, useAction } from '../../ui/use-action.js';

export interface ConversationMenuProps {
  conversation: Pick<Conversation, 'id' | 'title' | 'pinned' | 'shared'>;
  onDeleted?: (() => void) | undefined;
}

type Changes = Partial<Pick<Conversation, 'title' | 'pinned' | 'shared'>>;

const TITLE_CHARACTERS = 120;

/** Menu of a conversation: rename, pin, share with the project, delete. */
export function ConversationMenu({ conversation: { id, title, pinned, shared }, onDeleted }: ConversationMenuProps) {
  const queries = useQueryClient();
  const refresh = () => invalidate(queries, { queryKey: CONVERSATIONS });
  const path = `/api/v1/contexts/${id}`;
  const change = async (changes: Changes) => {
    await askArea('runtime', 'PATCH', path, changes);
    await refresh();
  };
  const set = useAction(change);
  const rename = () =>
    askName({
      title: 'Rename conversation',
      label: 'Title',
      value: title,
      maxLength: TITLE_CHARACTERS,
      action: 'Rename',
      work: (name) =>
        change({ title: name }).catch((error: unknown) => {
          if (error instanceof Error) showFailure(error);
          throw error;
        }),
    });
  const share = () =>
    confirm({
      title: 'Share this conversation?',
      text: 'Everyone in this project who has the link can read it, with future messages. What tools did stays hidden. You can stop sharing at any time.',
      action: 'Share and copy link',
      tone: 'plain',
      work: async () => {
        await change({ shared: true });
        await copyLink();
      },
    });
  const copyLink = async () => {
    await navigator.clipboard.writeText(`${window.location.origin}/chat/${id}`).then(
      () => notifications.show({ message: 'Link copied.', color: 'mill' }),
      () => notifications.show({ message: `The link is ${window.location.origin}/chat/${id}`, color: 'mill' }),
    );
  };
  const remove = () =>
    confirm({
      title: 'Delete this conversation?',
      text: (
        <>
          <bdi>{title}</bdi> is deleted with all its messages. This cannot be undone.
        </>
      ),
      action: 'Delete conversation',
      work: async () => {
        await askArea('runtime', 'DELETE', path);
        onDeleted?.();
        await refresh();
      },
    });
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${title}`}>
          <IconDots size={16} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={15} stroke={1.7} />} onClick={rename}>
          Rename
        </Menu.Item>
        <Menu.Item
          leftSection={pinned ? <IconPinnedOff size={15} stroke={1.7} /> : <IconPin size={15} stroke={1.7} />}
          onClick={() => set.mutate({ pinned: !pinned })}
        >
          {pinned ? 'Unpin' : 'Pin'}
        </Menu.Item>
        {shared ? (
          <>
            <Menu.Item leftSection={<IconLink size={15} stroke={1.7} />} onClick={() => void copyLink()}>
              Copy link
            </Menu.Item>
            <Menu.Item leftSection={<IconUsers size={15} stroke={1.7} />} onClick={() => set.mutate({ shared: false })}>
              Stop sharing
            </Menu.Item>
          </>
        ) : (
          <Menu.Item leftSection={<IconUsers size={15} stroke={1.7} />} onClick={share}>
            Share
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={15} stroke={1.7} />} onClick={remove}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
