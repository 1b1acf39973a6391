import { Space } from '@mantine/core';
import type { Me } from '../../api/admin-records.js';
import { AddressList } from '../../ui/address-list.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Section } from '../../ui/section.js';
import { stepCalls, type Known } from './step-calls.js';

/** Further API calls, with the base addresses. */
export function MoreCalls({ me, known }: { me: Me; known: Known | undefined }) {
  return (
    <>
      <Section title="Create a prompt and run it" text="Replace $PROMPT with the ID the first call returns.">
        {known && <CodeBlock label="create and run a prompt" code={stepCalls.prompt(known)} />}
      </Section>
      <Section title="API endpoints">
        <AddressList />
      </Section>
      <Section
        title="Command line"
        text="Operators can also create keys and clients from the command line. The examples above read them from shell variables."
      >
        <CodeBlock
          label="commands that create a key and a client"
          code={`npm run -s millwright -- admin keys create --user ${me.email} --name "My key"\nnpm run -s millwright -- admin clients create --user ${me.email} --name "My app" --redirect-uri https://app.example.com/callback`}
        />
        <Space h="sm" />
        <CodeBlock label="shell variables" code={'KEY=mw_live_…'} />
      </Section>
    </>
  );
}
