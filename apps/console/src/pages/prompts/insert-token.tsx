import { Button, Menu, Text } from '@mantine/core';
import { IconBracesOff, IconPlus } from '@tabler/icons-react';
import { Fragment } from 'react';

export interface TokenGroup {
  label: string;
  /** Text that is shown for an empty group. */
  none: string;
  names: readonly string[];
}

export interface InsertTokenProps {
  /** Name of the field into which the token is inserted. */
  label: string;
  groups: readonly TokenGroup[];
  onInsert: (token: string) => void;
}

/** A menu that inserts a token ("variable" on the page) at the cursor. */
export function InsertToken({ label, groups, onInsert }: InsertTokenProps) {
  return (
    <Menu position="bottom-end" returnFocus={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconPlus size={12} />}
          flex="none"
          aria-label={`Insert a variable into ${label}`}
        >
          Variable
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {groups.map((group) => (
          <Fragment key={group.label}>
            <Menu.Label>{group.label}</Menu.Label>
            {group.names.map((name) => (
              <Menu.Item key={name} onClick={() => onInsert(`{{${name}}}`)} maw={320}>
                <Text span size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Text>
              </Menu.Item>
            ))}
            {group.names.length === 0 && <Menu.Label fw={400}>{group.none}</Menu.Label>}
          </Fragment>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconBracesOff size={14} />} onClick={() => onInsert(String.raw`\{{`)}>
          Literal braces
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
