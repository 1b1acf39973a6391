import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ApiError } from '../api/client.js';
import { BackLink } from './back-link.js';
import { Failure } from './failure.js';
import { FormShape } from './form-shape.js';
import { PageHeader } from './page-header.js';

interface Back {
  to: string;
  label: string;
}

export interface RecordPageProps<Found> {
  back: Back;
  /** Heading that is shown until the record is loaded. */
  title: string;
  query: { data?: Found | undefined; error: Error | null; refetch: () => unknown };
  children: (found: Found) => ReactNode;
}

/** A record's page in each state: loading, failed, not found, loaded. */
export function RecordPage<Found>({ back, title, query, children }: RecordPageProps<Found>) {
  const { data, error, refetch } = query;
  const isMissing = data === undefined && error instanceof ApiError && error.status === 404;
  if (isMissing) return <Missing title={title} {...back} />;
  return (
    <>
      <BackLink to={back.to}>{back.label}</BackLink>
      {data !== undefined ? (
        children(data)
      ) : (
        <>
          <PageHeader title={title} />
          {error ? <Failure error={error} retry={() => void refetch()} /> : <FormShape />}
        </>
      )}
    </>
  );
}

function Missing({ title, to, label }: Back & { title: string }) {
  return (
    <>
      <PageHeader title={`${title} not found`} />
      <Text mb="md">It may have been deleted, or it belongs to another project.</Text>
      <Button component={Link} to={to}>
        Back to {label}
      </Button>
    </>
  );
}
