import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { askArea, callArea } from '../../api/areas.js';
import { ApiError } from '../../api/client.js';
import { eventsOf } from '../../api/event-stream.js';
import { invalidate } from '../../api/invalidate.js';
import { CONVERSATIONS, type MessageEvent } from '../../api/runtime-records.js';
import { imageBody, type ImageAttachment } from './image-attachment.js';
import type { ShownImage } from './shown-image.js';
import { withProgress, type Step } from './turns.js';

/** An image that is stored with the conversation. An edited message refers to it by its id. */
export type StoredImage = ShownImage & { id: string };

/** A message as the user sends it. */
export type NewMessage = Pick<Running, 'content' | 'images' | 'replaces'>;

/** A message whose answer is streaming, stopped or failed. */
export interface Running {
  content: string;
  images: readonly (ImageAttachment | StoredImage)[];
  /** Id of the stored message that the new message replaces, together with everything after it. */
  replaces?: string | undefined;
  steps: Step[];
  state: 'working' | 'stopped' | 'failed';
  error?: Error;
  /** Id of the failed run. */
  runId?: string | undefined;
}

export interface Chat {
  running: Running | undefined;
  send: (message: NewMessage) => void;
  /** Cancels the run. A request whose run has not started yet only stops streaming. */
  stop: () => void;
  /** Removes a stopped or failed message from the page. */
  dismiss: () => void;
}

interface Options {
  agent: string;
  contextId: string | undefined;
  /** Called with the id of a new conversation when its first run has started. */
  onStarted: (contextId: string) => void;
}

/** Sends messages to an agent and streams the answers. */
export function useChat({ agent, contextId, onStarted }: Options): Chat {
  const queries = useQueryClient();
  const [running, setRunning] = useState<Running>();
  const abort = useRef<AbortController>(null);
  const runId = useRef<string>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const work = useCallback(
    async ({ content, images, replaces }: NewMessage, signal: AbortSignal) => {
      const given = await Promise.all(
        images.map(async (image) => ('blob' in image ? imageBody(image) : { id: image.id })),
      );
      const answer = await callArea(
        'runtime',
        'POST',
        `/api/v1/agents/${encodeURIComponent(agent)}/messages?stream=true`,
        {
          body: {
            content,
            ...(given.length > 0 && { images: given }),
            ...(contextId !== undefined && { context_id: contextId }),
            ...(replaces !== undefined && { replaces }),
          },
          signal,
        },
      );
      if (!answer.body) throw new Error('There was no answer.');
      for await (const { event, data } of eventsOf(answer.body)) {
        const parsed: unknown = JSON.parse(data);
        const progress = { event, data: parsed } as MessageEvent;
        if (progress.event === 'error') {
          // The code `conflict` means that the run was canceled, which the stored conversation shows.
          if (progress.data.error.code.toLowerCase() === 'conflict') return;
          throw new ApiError(
            503,
            progress.data.error.code,
            progress.data.error.message,
            answer.headers.get('x-request-id'),
          );
        }
        // A waiting run is no failure. The conversation is read again after this return, and shows why the run waits.
        if (progress.event === 'run.waiting') return;
        if (progress.event === 'message.completed') return;
        if (progress.event === 'message.started') {
          runId.current = progress.data.run_id;
          if (contextId === undefined) onStarted(progress.data.context_id);
        }
        setRunning((now) => now && { ...now, steps: withProgress(now.steps, progress) });
      }
      throw new ApiError(
        0,
        'broken_off',
        'The connection was lost. If the agent finishes, its answer is saved in the conversation.',
      );
    },
    [agent, contextId, onStarted],
  );

  const readContexts = () => invalidate(queries, { queryKey: CONVERSATIONS });

  const send = (message: NewMessage) => {
    const controller = new AbortController();
    abort.current = controller;
    runId.current = undefined;
    setRunning({ ...message, steps: [], state: 'working' });
    work(message, controller.signal).then(
      async () => {
        await readContexts();
        setRunning(undefined);
        // The object URLs are not needed any more, because the page now shows the stored images.
        for (const image of message.images) if ('blob' in image) URL.revokeObjectURL(image.url);
      },
      (error: unknown) => {
        const failure = error instanceof Error ? error : new Error(String(error));
        const state = controller.signal.aborted ? 'stopped' : 'failed';
        setRunning(
          (now) => now && { ...now, state, ...(state === 'failed' && { error: failure, runId: runId.current }) },
        );
      },
    );
  };

  return {
    running,
    send,
    stop: () => {
      const id = runId.current;
      if (id === undefined) abort.current?.abort();
      // A canceled run ends its stream. If the cancellation is refused, because the run has already ended, the request is aborted instead.
      else askArea('runtime', 'POST', `/api/v1/runs/${id}/cancel`, {}).catch(() => abort.current?.abort());
    },
    dismiss: () => {
      setRunning(undefined);
      void readContexts();
    },
  };
}
