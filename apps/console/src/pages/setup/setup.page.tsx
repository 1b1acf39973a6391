import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Addresses, Me } from '../../api/records.js';
import { AddressList } from '../../ui/address-list.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { firstCalls } from './first-calls.js';

function SetupPage() {
  const me = useQuery(resource<Me>('/me'));
  const addresses = useQuery(resource<Addresses>('/me/addresses'));
  return (
    <>
      <PageHeader title="Set up" text="From a key to the first answer of an agent and of a prompt." />
      <Section title="Addresses">
        <AddressList />
      </Section>
      <Section
        title="1. Get a key and a client"
        text={
          <>
            An API key opens the platform and prompt APIs, an OAuth client the runtime API. Both are made in{' '}
            <Link to="/settings">Settings</Link>, or by an operator on the command line.
          </>
        }
      >
        {me.data && (
          <CodeBlock
            label="commands that make a key and a client"
            code={`millwright keys create --user ${me.data.email} --name "My key"\nmillwright clients create --user ${me.data.email} --name "My app" --redirect-uri https://app.example.com/callback`}
          />
        )}
        <Text size="sm" mt="sm" mb={6}>
          The calls below read them from your shell:
        </Text>
        <CodeBlock label="shell variables" code={'KEY=mw_live_…\nCLIENT_ID=…\nCLIENT_SECRET=…'} />
      </Section>
      <Section title="2. Make the first calls">
        {addresses.error && <Failure error={addresses.error} retry={() => void addresses.refetch()} />}
        {!addresses.data && !addresses.error && <Skeleton height={300} />}
        {addresses.data && (
          <Stack gap="lg">
            {firstCalls(addresses.data).map(({ title, text, code }) => (
              <div key={title}>
                <Title order={3}>{title}</Title>
                <Text size="sm" c="dimmed" mb={6}>
                  {text}
                </Text>
                <CodeBlock label={`call: ${title}`} code={code} />
              </div>
            ))}
          </Stack>
        )}
      </Section>
    </>
  );
}

export { SetupPage as Component };
