import { field } from '@millwright/config';

const GIB = 1_073_741_824;
const rows = (standard: number) => field.integer(0).default(standard);
const bytes = (gibibytes: number) => field.integer(0).default(gibibytes * GIB);

/** Quotas of a project by kind of record. A limit that is set for a single project replaces these quotas. */
export const quotasConfig = {
  QUOTA_CONTENT_ROWS: rows(200_000),
  QUOTA_CONTENT_BYTES: bytes(10),
  QUOTA_FILES_ROWS: rows(200_000),
  QUOTA_FILES_BYTES: bytes(100),
  /** Prompts with their versions, blocks and artifacts. */
  QUOTA_PROMPTS_ROWS: rows(200_000),
  QUOTA_PROMPTS_BYTES: bytes(10),
  /** Conversations of the prompt API with their messages and stored responses. */
  QUOTA_CONVERSATIONS_ROWS: rows(5_000_000),
  QUOTA_CONVERSATIONS_BYTES: bytes(50),
  /** Conversations with agents, with their messages. */
  QUOTA_CONTEXTS_ROWS: rows(5_000_000),
  QUOTA_CONTEXTS_BYTES: bytes(50),
};

export type QuotasConfig = Record<keyof typeof quotasConfig, number>;
