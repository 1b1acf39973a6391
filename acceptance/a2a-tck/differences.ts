const DECISIONS =
  'continues a task that waits for input by any text; a task of an agent waits for a decision about a tool call, which a message has to name';
const TEXT = 'agents answer with one text';
const MEDIA_TYPE = 'demands application/json, where the examples of the specification have application/a2a+json';
const CONTEXT = 'lets clients choose context ids; the platform refuses unknown ones, as the specification allows';

/** Requirements of the kit that our agents do not meet, each with the reason. */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  'CARD-CACHE-003': 'looks for Last-Modified, which is optional; cards have ETag',
  'CORE-HIST-001': DECISIONS,
  'CORE-HIST-002': DECISIONS,
  'CORE-HIST-003': DECISIONS,
  'CORE-HIST-004': DECISIONS,
  'CORE-HIST-005': DECISIONS,
  'CORE-HIST-006': DECISIONS,
  'CORE-MULTI-002': CONTEXT,
  'CORE-MULTI-002a': CONTEXT,
  'CORE-MULTI-005': DECISIONS,
  'CORE-SEND-003': 'counts the error that it demands, ContentTypeNotSupportedError, as a failure',
  'DM-ART-001': TEXT,
  'DM-MSG-001': 'demands a message without a task; each message to an agent is a task',
  'HTTP_JSON-ERR-001': MEDIA_TYPE,
  'HTTP_JSON-STATUS-001': 'demands 415 for a part that is no text; @a2a-js/sdk 1.3 and its clients have 400',
  'HTTP_JSON-SVC-001': MEDIA_TYPE,
  'PUSH-DELIVER-001': DECISIONS,
  'PUSH-DELIVER-002': DECISIONS,
  'PUSH-DELIVER-003': DECISIONS,
  'STREAM-SUB-002': 'follows a task that waits for input; its stream ends there, as the stream of a message does',
};
