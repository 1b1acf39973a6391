import { Text } from '@mantine/core';
import type { Me } from '../../api/records.js';
import { AddressList } from '../../ui/address-list.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Section } from '../../ui/section.js';
import { stepCalls, type Known } from './step-calls.js';

/** What a program does besides, and where. */
export function MoreCalls({ me, known }: { me: Me; known: Known | undefined }) {
  return (
    <>
      <Section title="Make a prompt, and run it" text="Put the id of the first answer in the place of $PROMPT.">
        {known && <CodeBlock label="calls: make and run a prompt" code={stepCalls.prompt(known)} />}
      </Section>
      <Section title="Addresses">
        <AddressList />
      </Section>
      <Section
        title="For operators"
        text="The command line makes keys and clients as well. The calls above read them from your shell."
      >
        <CodeBlock
          label="commands that make a key and a client"
          code={`millwright keys create --user ${me.email} --name "My key"\nmillwright clients create --user ${me.email} --name "My app" --redirect-uri https://app.example.com/callback`}
        />
        <Text size="sm" mt="sm" mb={6}>
          In the shell:
        </Text>
        <CodeBlock label="shell variables" code={'KEY=mw_live_…\nCLIENT_ID=…\nCLIENT_SECRET=…'} />
      </Section>
    </>
  );
}
