/** Limit of a project's triggers. */
export const MOST_TRIGGERS = 100;
/** Limit of a trigger's unfinished firings. */
export const MOST_ACTIVE = 100;
/** Limits of a trigger's template and of the resulting message, in characters. */
export const LONGEST_TEMPLATE = 20_000;
export const LONGEST_INPUT = 200_000;
/** Length limit of a stored message id. */
export const LONGEST_KEY = 200;

export const TRIGGER_KINDS = ['cron', 'webhook'] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

/** What happens to a firing while an earlier firing is unfinished: it is skipped, queued, or started. */
export const OVERLAPS = ['skip', 'queue', 'allow'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** What happens to missed times: no firing, or one firing for all of them. */
export const MISSED = ['skip', 'once'] as const;
export type Missed = (typeof MISSED)[number];

/** Whether each run starts a new conversation, or all runs continue the same conversation. */
export const CONTEXTS = ['new', 'same'] as const;
export type TriggerContext = (typeof CONTEXTS)[number];

export const SIGNATURES = ['standard', 'github', 'stripe'] as const;
export type Signature = (typeof SIGNATURES)[number];

export const DISABLED_REASONS = ['owner', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const FIRING_STATES = ['pending', 'started', 'completed', 'failed', 'canceled', 'skipped'] as const;
export type FiringState = (typeof FIRING_STATES)[number];

export const FIRING_REASONS = [
  'missed',
  'overlap',
  'full',
  'inactive',
  'stopped',
  'owner',
  'agent',
  'message',
  'quota',
  'conflict',
  'unavailable',
  'run',
] as const;
export type FiringReason = (typeof FIRING_REASONS)[number];

export const FIRING_SOURCES = ['schedule', 'webhook', 'test'] as const;
export type FiringSource = (typeof FIRING_SOURCES)[number];

/** The scopes that the owner of a trigger must have. */
export const OWNER_SCOPES = ['admin', 'agents:message'] as const;

/** The rights of the credential with which the owner last changed the trigger. */
export interface TriggerRights {
  scopes: readonly string[];
  /** Tools that the credential allows; null allows all tools. */
  mcpTools: readonly string[] | null;
}
