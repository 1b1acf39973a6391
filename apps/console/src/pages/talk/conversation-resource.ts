import { areaResource } from '../../api/areas.js';
import type { ConversationDetail } from '../../api/runtime-records.js';

/** The query of a conversation of the user, or of a conversation that is shared with the user. */
export const conversationResource = (contextId: string) =>
  areaResource<ConversationDetail>('runtime', `/api/v1/contexts/${encodeURIComponent(contextId)}`);
