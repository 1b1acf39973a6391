import type { PromptAnswers } from './answers/prompt.js';

export type Prompt = PromptAnswers['getPrompt'];
export type Block = PromptAnswers['getBlock'];
/** A conversation; times of messages have the form `YYYY-MM-DD hh:mm:ss`, in UTC. */
export type Conversation = PromptAnswers['getConversation'];
export type Label = PromptAnswers['movePromptLabel'];
/** The result of rendering a saved prompt. */
export type GenerateResult = PromptAnswers['renderPrompt'];
/** The rendering of a prompt that is not saved. */
export type DraftResult = PromptAnswers['renderDraft'];
export type RunResult = PromptAnswers['runPrompt'];
export type DraftRunResult = PromptAnswers['runDraft'];
export type VersionUsage = PromptAnswers['getPromptVersionUsage'];

/** A record with metadata: a prompt, a block or a conversation. */
export type Described = Pick<Conversation, 'id' | 'metadata'>;
export type Metadata = Described['metadata'];
/** The metadata that an author writes. */
export type MetadataFields = Pick<Metadata, 'title' | 'description' | 'tag' | 'status'>;

export const PARTS = ['static', 'state', 'dynamic'] as const;
export type Part = (typeof PARTS)[number];

export type Definition = PromptAnswers['getInput'];
export type Schema = Definition['schema'];
export type Rendered = Pick<GenerateResult['data'], Part | 'parsed_tokens' | 'token_counts'>;
/** The source that fills a token; null when the token has no source. */
export type TokenSource = DraftResult['data']['tokens'][number]['source'];
/** A fault that the server found in a template. `line` and `column` count from 1. */
export type Finding = DraftResult['findings'][number];
export type Message = Conversation['message'][number];
export type Reference = Message['reference'][number];

/** The title of a record with metadata, as lists and pages show it. */
export const titleOf = ({ metadata: { title } }: Pick<Described, 'metadata'>): string => title || 'Untitled';
