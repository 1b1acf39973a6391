/** What area D answers (`/v1/openapi.json`), as far as pages show it. */

export type PromptStatus = 'draft' | 'published' | 'archived';

/** What an author writes about a record. */
export interface MetadataFields {
  title: string;
  description: string;
  tag: string[];
  status: PromptStatus;
}

export interface Metadata extends MetadataFields {
  /** Why this version was made. */
  log_message: string;
  created: string;
  updated: string;
  version: number;
  author: string;
}

/** A record that says by its metadata what it is. */
export interface Described {
  id: string;
  metadata: Metadata;
}

export type Schema = Record<string, unknown>;

export interface Reference {
  uuid: string;
  link: string;
  type: string;
}

export interface Definition {
  id: string;
  name: string;
  description: string;
  reference: Reference[];
  schema: Schema;
}

export const PARTS = ['static', 'state', 'dynamic'] as const;
export type Part = (typeof PARTS)[number];
export type Instruction = Record<Part, string>;

export interface Prompt extends Described {
  instruction: Instruction;
  input: Definition;
  output: Definition;
}

export interface Rendered extends Instruction {
  parsed_tokens: string[];
  token_counts: Record<Part, number>;
}

/** Of a saved prompt. */
export interface GenerateResult {
  data: Rendered;
  warnings: string[];
}

/** From where a token is filled; null: from nowhere. */
export type TokenSource = 'built_in' | 'input' | 'block' | null;

export interface Finding {
  part: Part;
  /** From 1. */
  line: number;
  column: number;
  reason: string;
}

/** Of a prompt that is not saved. */
export interface DraftResult {
  data: Rendered & { tokens: { name: string; source: TokenSource }[] };
  warnings: string[];
  faults: { field: string; reason: string }[];
  findings: Finding[];
}

export interface Message {
  id: string;
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  reference: Reference[];
  model: string;
  /** `created` reads `YYYY-MM-DD hh:mm:ss`, UTC. */
  metadata: Metadata;
}

export interface Conversation extends Described {
  message: Message[];
}

export interface RunResult {
  success: boolean;
  data: { message: Message; conversation: Conversation; structured_data: Record<string, unknown> };
  metadata: {
    model: string;
    usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  };
  warnings: string[];
  /** Null: the model's price is not known. */
  cost_usd: number | null;
}

export interface VersionUsage {
  runs: number;
  usage: { total_tokens: number };
  cost_usd: number | null;
  last_run: string | null;
}

export interface Label {
  name: string;
  version: number;
  /** It is moved with a reason only. */
  protected: boolean;
  updated: string;
  author: string;
}

export interface Block extends Described {
  prefix: string;
  content: string;
}
