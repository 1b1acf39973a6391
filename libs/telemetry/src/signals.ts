import { channel } from 'node:diagnostics_channel';

/** What a call of something outside the platform was for. */
export type UpstreamKind = 'model' | 'mcp' | 'plugin' | 'webhook' | 'client_document' | 'reachability' | 'area';

export interface UpstreamCall {
  kind: UpstreamKind;
  /** `answered`, `aborted` when whoever asked left, else a word for the failure. */
  outcome: string;
  seconds: number;
}

/** Of one upstream: it was given up on, or is tried again. */
export interface BreakerChange {
  kind: UpstreamKind;
  open: boolean;
}

export interface ModelTokens {
  /** As the installation calls it. */
  model: string;
  input: number;
  output: number;
}

export interface AuditWrite {
  decision: 'allow' | 'deny';
  outcome: 'written' | 'failed';
}

export interface SignIn {
  method: 'passkey' | 'magic_link' | 'device_code';
  outcome: 'succeeded' | 'refused';
}

export interface Signal<Event> {
  tell: (event: Event) => void;
  listen: (listener: (event: Event) => void) => void;
}

/** Costs nothing while nobody listens. */
function signal<Event>(name: string): Signal<Event> {
  const events = channel(`millwright:${name}`);
  return {
    tell: (event) => {
      if (events.hasSubscribers) events.publish(event);
    },
    listen: (listener) => events.subscribe((event) => listener(event as Event)),
  };
}

/** What seams deep in the libs tell of, for metrics to count: they know nothing of a registry, and are handed none. */
export const signals = {
  upstreamCall: signal<UpstreamCall>('upstream-call'),
  breaker: signal<BreakerChange>('breaker'),
  modelTokens: signal<ModelTokens>('model-tokens'),
  auditWrite: signal<AuditWrite>('audit-write'),
  signIn: signal<SignIn>('sign-in'),
} as const;
