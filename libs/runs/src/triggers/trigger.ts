/** Limit of a project's triggers. */
export const MOST_TRIGGERS = 100;
/** Limit of a trigger's firings that have not ended. */
export const MOST_ACTIVE = 100;
/** Limits in characters of a trigger's template, and of the message that it becomes. */
export const LONGEST_TEMPLATE = 20_000;
export const LONGEST_INPUT = 200_000;
/** Limit of a message's id that is kept. */
export const LONGEST_KEY = 200;

export const TRIGGER_KINDS = ['cron', 'webhook'] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

/** What a firing does while an earlier one has not ended: it is left out, waits for its turn, or starts. */
export const OVERLAPS = ['skip', 'queue', 'allow'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** What becomes of times that nobody fired: nothing, or one firing for all of them. */
export const MISSED = ['skip', 'once'] as const;
export type Missed = (typeof MISSED)[number];

/** Whether each run begins a conversation, or all continue the same one. */
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

/** The scopes without which nobody owns a trigger. */
export const OWNER_SCOPES = ['admin', 'agents:message'] as const;

/** What the credential had with which the owner last changed a trigger. */
export interface TriggerRights {
  scopes: readonly string[];
  /** Null: all tools. */
  mcpTools: readonly string[] | null;
}
