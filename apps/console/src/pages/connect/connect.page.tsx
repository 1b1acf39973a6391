import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { ConnectPanel } from './connect-panel.js';

function ConnectPage() {
  return (
    <>
      <PageHeader title="Connect" text="Use this installation from your programs and from MCP clients." />
      <Section title="Programs and clients">
        <ConnectPanel target={{ kind: 'installation' }} />
      </Section>
    </>
  );
}

export { ConnectPage as Component };
