import { ActionIcon, Menu } from '@mantine/core';
import { IconExternalLink, IconHelp, IconKeyboard } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { resource } from '../api/api.js';
import type { Addresses } from '../api/admin-records.js';
import { hasRole } from '../api/roles.js';

/** Menu with help: first steps, the API references of the services, and the keyboard shortcuts. */
export function HelpMenu({ roles }: { roles: readonly string[] }) {
  const [opened, setOpened] = useState(false);
  const isUser = hasRole(roles, ['user']);
  const addresses = useQuery({ ...resource<Addresses>('/me/addresses'), enabled: opened && isUser });
  const references = addresses.data ? referencesOf(addresses.data) : [];
  return (
    <Menu position="bottom-end" width={230} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Help" visibleFrom="sm">
          <IconHelp size={18} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isUser && (
          <Menu.Item component={Link} to="/setup">
            Get started
          </Menu.Item>
        )}
        {isUser && (
          <Menu.Item component={Link} to="/connect">
            Connect
          </Menu.Item>
        )}
        <Menu.Item
          component="a"
          href="/docs"
          target="_blank"
          rel="noopener noreferrer"
          rightSection={<IconExternalLink size={14} stroke={1.7} />}
        >
          Documentation
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={16} stroke={1.7} />}
          onClick={() => void import('./shortcut-list.js').then(({ showShortcuts }) => showShortcuts(roles))}
        >
          Keyboard shortcuts
        </Menu.Item>
        {references.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Label>API reference</Menu.Label>
            {references.map(({ name, url }) => (
              <Menu.Item
                key={name}
                component="a"
                href={url}
                target="_blank"
                rel="noopener noreferrer"
                rightSection={<IconExternalLink size={14} stroke={1.7} />}
              >
                {name}
              </Menu.Item>
            ))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Returns the addresses of the API references. Each service serves its reference beside its OpenAPI document. */
const referencesOf = ({ base_url, runtime_url, prompt_api_url }: Addresses) => [
  { name: 'Platform API', url: `${base_url}/api/v1/docs` },
  { name: 'Runtime API', url: `${runtime_url}/api/v1/docs` },
  { name: 'Prompt API', url: `${prompt_api_url}/v1/docs` },
  { name: 'Console API', url: `${base_url}/admin/docs` },
];
