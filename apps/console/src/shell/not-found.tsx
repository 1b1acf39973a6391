import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../api/api.js';
import type { Me } from '../api/admin-records.js';
import { homeOf } from '../api/roles.js';
import { PageHeader } from '../ui/page-header.js';

export function NotFound() {
  const { data: me } = useQuery(resource<Me>('/me'));
  const to = homeOf(me?.roles);
  const label = { '/': 'Go to dashboard', '/audit': 'Go to audit log' }[to] ?? 'Go to profile';
  return (
    <>
      <PageHeader title="Page not found" />
      <Text mb="md">This page doesn&apos;t exist. The link may be outdated or incomplete.</Text>
      <Button component={Link} to={to}>
        {label}
      </Button>
    </>
  );
}
