import { Alert } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Items, Key } from '../../api/admin-records.js';
import { exactTime } from '../../ui/time.js';
import { expiresSoon } from '../settings/key-columns.js';

/** Maximum number of keys that the message names. The page Settings lists all keys. */
const MOST_NAMED = 3;

/** The keys and tokens that expire soon, with a link to rotate them. */
export function ExpiringKeys() {
  const keys = useQuery(resource<Items<Key>>('/keys')).data?.items ?? [];
  const soon = keys.filter((key) => expiresSoon(key) && key.successor_id === null);
  if (soon.length === 0) return null;
  return (
    <Alert color="orange" icon={<IconClockExclamation size={18} />} mb="lg" title="Keys that expire soon">
      {soon.slice(0, MOST_NAMED).map(({ id, name, expires_at }) => (
        <div key={id}>
          <bdi>{name}</bdi>: {exactTime(expires_at ?? '')}
        </div>
      ))}
      <Link to="/settings">
        {soon.length === 1 ? 'Rotate it in Settings' : `Rotate all ${soon.length} in Settings`}
      </Link>
    </Alert>
  );
}
