import { AppError } from '@millwright/errors';
import { MOST_IMAGES, type ModelImage, type ModelMessage } from '@millwright/models';
import type { ContextImages } from './context-images.store.js';
import type { MessageImage } from '@millwright/runs/message-images';
import type { Turn } from './turn.js';

/**
 * Limit of the total size of the images in one request to a model. The images of the newest message use it first, then the newest images of earlier
 * messages.
 */
const REQUEST_BYTES = 8 * 1_048_576;

/**
 * Prefix of the references that replace images in the messages of a run. The messages stay in memory during the whole run. The bytes of the images
 * are read separately for each call of the model.
 */
const REFERENCE = 'image:';
export const imageReference = ({ id }: Pick<MessageImage, 'id'>): ModelImage => ({ url: REFERENCE + id });

/**
 * Returns the ids of the images of earlier messages that a request to the model repeats: the newest images within the limits. `room` is the number of
 * characters of the model's window that the images may use.
 */
export function repeatedImages(
  history: readonly Turn[],
  newest: readonly MessageImage[],
  room: number,
  charactersOf: number,
): ReadonlySet<string> {
  const repeated = new Set<string>();
  let count = MOST_IMAGES - newest.length;
  let bytes = REQUEST_BYTES - newest.reduce((sum, { size }) => sum + size, 0);
  let left = room;
  for (const { id, size } of history.flatMap(({ images = [] }) => images).toReversed()) {
    count -= 1;
    bytes -= size;
    left -= charactersOf;
    if (count < 0 || bytes < 0 || left < 0) break;
    repeated.add(id);
  }
  return repeated;
}

/** Adds a turn's images to its message. A note in the text replaces the images that are not sent again. */
export function withImages(
  message: ModelMessage,
  { images = [] }: Pick<Turn, 'images'>,
  isShown: (image: MessageImage) => boolean,
): ModelMessage {
  if (images.length === 0) return message;
  const shown = images.filter(isShown);
  const left = images.length - shown.length;
  const note =
    left === 0 ? [] : [`[${left === 1 ? 'An image was' : `${left} images were`} here and cannot be seen now.]`];
  return {
    ...message,
    content: [message.content, ...note].filter((text) => text !== '').join('\n'),
    ...(shown.length > 0 && { images: shown.map(imageReference) }),
  };
}

/** Counts the images in messages. */
export const countImages = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, { images = [] }) => sum + images.length, 0);

/** Limit of the total size of the images that a process has in memory for calls of models. Each image uses about four times its size in memory. */
const PROCESS_BYTES = 32 * 1_048_576;

/** Messages for one call of a model. They contain the bytes of their images until `release` is called. */
export interface OpenedImages {
  messages: readonly ModelMessage[];
  release: () => void;
}

/** Reads the bytes of images for calls of models. A call waits while the images of other calls use the whole limit. */
export function createImageReader(images: Pick<ContextImages, 'read' | 'sizeOf'>, mostBytes = PROCESS_BYTES) {
  const room = createRoom(mostBytes);

  async function read(messages: readonly ModelMessage[], ids: readonly string[]): Promise<ModelMessage[]> {
    const found = await images.read(ids);
    const dataOf = ({ url, ...rest }: ModelImage): ModelImage => {
      const image = found.get(url.slice(REFERENCE.length));
      if (!image) throw new AppError('not_found', { cause: new Error('an image of the conversation was deleted') });
      return { ...rest, url: image };
    };
    return messages.map((message) => (message.images ? { ...message, images: message.images.map(dataOf) } : message));
  }

  /** @throws AppError not_found when an image was deleted; the signal's reason when the signal aborts */
  return async (messages: readonly ModelMessage[], signal: AbortSignal): Promise<OpenedImages> => {
    const ids = messages.flatMap(({ images: own = [] }) => own.map(({ url }) => url.slice(REFERENCE.length)));
    if (ids.length === 0) return { messages, release: () => undefined };
    const release = await room.take(Math.min(await images.sizeOf(ids), mostBytes), signal);
    try {
      return { messages: await read(messages, ids), release };
    } catch (error) {
      release();
      throw error;
    }
  };
}
export type ImageReader = ReturnType<typeof createImageReader>;

/** Shares a limited number of bytes among callers. They get their amounts in the order of their calls. */
function createRoom(most: number) {
  let left = most;
  const waiting: { amount: number; go: () => void }[] = [];
  const admit = () => {
    for (let first = waiting[0]; first && first.amount <= left; first = waiting[0]) {
      waiting.shift();
      left -= first.amount;
      first.go();
    }
  };
  const give = (amount: number) => {
    left += amount;
    admit();
  };
  return {
    /**
     * Waits until the amount is free. @returns a function that makes the amount free again @throws the signal's reason when the signal aborts first
     */
    take: (amount: number, signal: AbortSignal): Promise<() => void> =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const entry = { amount, go: (): void => undefined };
        const leave = () => {
          const at = waiting.indexOf(entry);
          if (at !== -1) waiting.splice(at, 1);
          reject(signal.reason as Error);
          admit();
        };
        entry.go = () => {
          signal.removeEventListener('abort', leave);
          let isTaken = true;
          resolve(() => {
            if (isTaken) give(amount);
            isTaken = false;
          });
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(entry);
        admit();
      }),
  };
}
