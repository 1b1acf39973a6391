export {
  dataOf,
  findReply,
  isEventStream,
  isMessageEvent,
  MESSAGE_MAX_BYTES,
  messageOf,
  readEvents,
  readLines,
  readText,
  withData,
  type ReadLimits,
} from './event-stream.js';
export { MessageRefused, readMessage, toMessage, type ServerMessage } from './server-message.js';
