import { channel } from 'node:diagnostics_channel';

/** Purpose of a call to another system. */
export type UpstreamKind =
  'model' | 'mcp' | 'a2a' | 'plugin' | 'webhook' | 'client_document' | 'knowledge' | 'reachability' | 'area' | 'sso';

export interface UpstreamCall {
  kind: UpstreamKind;
  /** Outcome of the request: `answered`, `aborted` when the caller ended the request, or else the kind of failure. */
  outcome: string;
  seconds: number;
}

/** Event: the circuit breaker of one upstream has opened or closed. */
export interface BreakerChange {
  kind: UpstreamKind;
  open: boolean;
}

export interface ModelTokens {
  /** The model's name in this installation's configuration. */
  model: string;
  input: number;
  output: number;
}

export interface AuditWrite {
  decision: 'allow' | 'deny';
  outcome: 'written' | 'failed';
}

/** Event: a change was refused, because its project would then exceed a quota. */
export interface QuotaRefusalEvent {
  kind: string;
  measure: 'rows' | 'bytes';
}

/**
 * A read that the replica of the database might answer. `behind`: the replica lacked the latest changes. `failed`: it did not answer.
 * `paused`: the replica was behind or failed shortly before, so the read was not sent to it.
 */
export interface ReplicaRead {
  outcome: 'answered' | 'behind' | 'failed' | 'paused';
}

export interface SignIn {
  method: 'passkey' | 'magic_link' | 'device_code' | 'sso';
  outcome: 'succeeded' | 'refused';
}

export interface TelemetryEvent<Event> {
  record: (event: Event) => void;
  listen: (listener: (event: Event) => void) => void;
}

/** Publishes events to a diagnostics channel. Recording costs almost nothing while the channel has no subscriber. */
function telemetryEvent<Event>(name: string): TelemetryEvent<Event> {
  const events = channel(`millwright:${name}`);
  return {
    record: (event) => {
      if (events.hasSubscribers) events.publish(event);
    },
    listen: (listener) => events.subscribe((event) => listener(event as Event)),
  };
}

/** Events that the libs record and the services count as metrics. The libs need no metrics registry for these events. */
export const telemetryEvents = {
  upstreamCall: telemetryEvent<UpstreamCall>('upstream-call'),
  breaker: telemetryEvent<BreakerChange>('breaker'),
  modelTokens: telemetryEvent<ModelTokens>('model-tokens'),
  auditWrite: telemetryEvent<AuditWrite>('audit-write'),
  quotaRefusal: telemetryEvent<QuotaRefusalEvent>('quota-refusal'),
  replicaRead: telemetryEvent<ReplicaRead>('replica-read'),
  signIn: telemetryEvent<SignIn>('sign-in'),
} as const;
