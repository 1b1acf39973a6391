import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Approval } from '../../api/runtime-records.js';
import { Facts } from '../../ui/facts.js';
import { FoldedCode } from '../../ui/folded-code.js';
import { indentedJson } from '../../ui/indented-json.js';
import { TextArea } from '../../ui/text-area.js';
import { exactTime } from '../../ui/time.js';
import { argumentsIn, reasonText } from './approval-text.js';
import classes from './approvals.module.css';
import { useDecide } from './use-decide.js';

/** A tool call that waits for a decision: its effect, why it needs a decision, and the buttons to decide. */
export function ApprovalCard({ approval }: { approval: Approval }) {
  const { tool, server, agent, requester, expires_at, may_decide, other_decider } = approval;
  const [mode, setMode] = useState<'view' | 'edit' | 'refuse'>('view');
  const [fault, setFault] = useState<string>();
  const decide = useDecide(approval, setFault);
  const back = () => {
    setFault(undefined);
    setMode('view');
  };
  return (
    <div className={classes.card} role="group" aria-label={`Approval of ${tool}`}>
      <Text component="h3" className={classes.tool}>
        <bdi>{tool}</bdi>
      </Text>
      <Facts
        facts={[
          ['Server', <bdi key="server">{server.name}</bdi>],
          [
            'Agent',
            <bdi key="agent">{agent.version === null ? agent.name : `${agent.name} @ version ${agent.version}`}</bdi>,
          ],
          ['Requester', <bdi key="requester">{requester.name}</bdi>],
          ['Expires', exactTime(expires_at)],
          ['Why', <bdi key="why">{reasonText(approval)}</bdi>],
        ]}
      />
      {mode === 'edit' ? (
        <EditedArguments
          approval={approval}
          fault={fault}
          isWorking={decide.isPending}
          onChange={() => setFault(undefined)}
          onApprove={(args) => decide.mutate({ decision: 'approve', arguments: args })}
          onBack={back}
        />
      ) : (
        <FoldedCode label={`arguments of ${tool}`} title="Arguments" code={indentedJson(approval.arguments)} />
      )}
      {mode === 'refuse' && (
        <Refusal
          isWorking={decide.isPending}
          onRefuse={(reason) => decide.mutate({ decision: 'refuse', ...(reason !== '' && { reason }) })}
          onBack={back}
        />
      )}
      {mode === 'view' && may_decide && (
        <Group gap="xs">
          <Button size="xs" loading={decide.isPending} onClick={() => decide.mutate({ decision: 'approve' })}>
            Approve
          </Button>
          <Button size="xs" variant="default" disabled={decide.isPending} onClick={() => setMode('edit')}>
            Edit and approve
          </Button>
          <Button size="xs" variant="subtle" color="red" disabled={decide.isPending} onClick={() => setMode('refuse')}>
            Refuse
          </Button>
        </Group>
      )}
      {!may_decide && (
        <Text size="sm" c="dimmed">
          {other_decider
            ? 'Someone other than the requester has to decide.'
            : 'You cannot decide about this call. Ask an administrator of the project.'}
        </Text>
      )}
    </div>
  );
}

interface EditedArgumentsProps {
  approval: Approval;
  /** The reason why the server refused the arguments. */
  fault: string | undefined;
  isWorking: boolean;
  onChange: () => void;
  onApprove: (args: object) => void;
  onBack: () => void;
}

/** Editor for the arguments as JSON; shows the tool's schema, by which the server validates them. */
function EditedArguments({ approval, fault, isWorking, onChange, onApprove, onBack }: EditedArgumentsProps) {
  const { tool, parameters } = approval;
  const [text, setText] = useState(() => indentedJson(approval.arguments));
  const args = argumentsIn(text);
  const error = typeof args === 'string' ? args : fault;
  return (
    <div className={classes.edit}>
      <TextArea
        label={`Arguments for ${tool}`}
        description="The tool gets these instead. The agent reads that they were changed."
        isCode
        minRows={4}
        maxRows={20}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onChange();
        }}
        error={error}
        styles={{ error: { overflowWrap: 'anywhere' } }}
      />
      <details>
        <summary>
          <Text span size="sm">
            Schema of the arguments
          </Text>
        </summary>
        <FoldedCode label={`schema of ${tool}`} title="JSON Schema" code={JSON.stringify(parameters, null, 2)} />
      </details>
      <Group gap="xs">
        <Button
          size="xs"
          loading={isWorking}
          disabled={typeof args === 'string'}
          onClick={() => typeof args !== 'string' && onApprove(args)}
        >
          Approve with changes
        </Button>
        <Button size="xs" variant="subtle" color="gray" disabled={isWorking} onClick={onBack}>
          Cancel
        </Button>
      </Group>
    </div>
  );
}

interface RefusalProps {
  isWorking: boolean;
  onRefuse: (reason: string) => void;
  onBack: () => void;
}

function Refusal({ isWorking, onRefuse, onBack }: RefusalProps) {
  const [reason, setReason] = useState('');
  return (
    <div className={classes.edit}>
      <TextArea
        label="Reason"
        description="Optional. The agent reads it and goes on without the call."
        minRows={2}
        maxRows={8}
        maxLength={2_000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button size="xs" color="red.8" loading={isWorking} onClick={() => onRefuse(reason.trim())}>
          Refuse the call
        </Button>
        <Button size="xs" variant="subtle" color="gray" disabled={isWorking} onClick={onBack}>
          Cancel
        </Button>
      </Group>
    </div>
  );
}
