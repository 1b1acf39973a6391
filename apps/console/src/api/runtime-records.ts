import type { RuntimeAnswers } from './answers/runtime.js';

/** An agent in the runtime's registry. Its `name` is the slug. */
export type RegisteredAgent = RuntimeAnswers['listAgents']['agents'][number];
export type AgentDetail = RuntimeAnswers['getAgent'];
/** A result of the content search. `content` is the whole text; `snippet` is the part of the text with the searched words. */
export type FoundContent = RuntimeAnswers['searchContent']['results'][number];
/** A content item, or a passage of a file. */
export type FoundRecord = RuntimeAnswers['getContent'];
/** State of the indexing of a file for search. */
export type FileKnowledge = RuntimeAnswers['getFileKnowledge'];
/** A page or document at a URL. Searches find passages of its text. */
export type KnowledgeSource = RuntimeAnswers['getKnowledgeSource'];
export type KnowledgeSourceList = RuntimeAnswers['listKnowledgeSources'];
export type KnowledgeList = RuntimeAnswers['listKnowledge'];
export type StoredFile = RuntimeAnswers['file.get'];
export type StoredFiles = RuntimeAnswers['file.list'];
/** The user's conversations with all agents: pinned conversations first, then the latest. */
export type Conversations = RuntimeAnswers['listConversations'];
export type Conversation = Conversations['items'][number];
/** A conversation of the user, or a conversation that is shared with the user: its last 500 messages, oldest first. */
export type ConversationDetail = RuntimeAnswers['getConversation'];
export type ContextMessage = ConversationDetail['messages'][number];
/** First segments of the key of every query for conversations. */
export const CONVERSATIONS = ['runtime', 'api', 'v1', 'contexts'] as const;
/** An MCP server that needs an account of the user. */
export type McpConnection = RuntimeAnswers['listMcpConnections']['connections'][number];

type Streamed<Event extends string> = Event extends keyof EventData ? { event: Event; data: EventData[Event] } : never;
type EventData = {
  [Key in keyof RuntimeAnswers as Key extends `sendMessage.${infer Event}` ? Event : never]: RuntimeAnswers[Key];
};
/** An event of a streamed answer. */
export type MessageEvent = Streamed<keyof EventData>;
/** One execution of an agent or a prompt. */
export type Run = RuntimeAnswers['listRuns']['items'][number];
/** A page of runs, latest first. */
export type RunPage = RuntimeAnswers['listRuns'];
export type RunDetail = RuntimeAnswers['getRun'];
/** A page of a run's steps, in order. */
export type RunStepPage = RuntimeAnswers['listRunSteps'];
/** One call of a model or of a tool. */
export type RunStep = RunStepPage['items'][number];
/** A step with the messages that the model read. */
export type RunStepDetail = RuntimeAnswers['getRunStep'];
export type RunFeedback = RuntimeAnswers['putRunFeedback'];
/** A call of a tool about which a person decides or has decided. */
export type Approval = RuntimeAnswers['listApprovals']['items'][number];
export type ApprovalPage = RuntimeAnswers['listApprovals'];
export type DecidedApproval = RuntimeAnswers['decideApproval'];
