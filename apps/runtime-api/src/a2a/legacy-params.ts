import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { z } from 'zod';

const Id = z.string().min(1);
const TaskParams = z.looseObject({ id: Id, historyLength: z.int().min(0).nullish() });
const Receiver = z.looseObject({ url: z.string(), id: z.string().nullish(), token: z.string().nullish() });
const SendParams = z.looseObject({
  message: z.looseObject({
    messageId: Id,
    role: z.string(),
    parts: z.array(z.looseObject({ text: z.string().optional() })),
    contextId: z.string().nullish(),
    taskId: z.string().nullish(),
  }),
  configuration: z
    .looseObject({ historyLength: z.int().min(0).nullish(), pushNotificationConfig: Receiver.nullish() })
    .nullish(),
});

/** The parameters that this endpoint reads, for each method of A2A 0.3 (§7). The SDK does not check them. */
const PARAMS: Readonly<Record<string, z.ZodType>> = {
  'message/send': SendParams,
  'message/stream': SendParams,
  'tasks/get': TaskParams,
  'tasks/cancel': TaskParams,
  'tasks/resubscribe': TaskParams,
  'tasks/pushNotificationConfig/set': z.looseObject({ taskId: Id, pushNotificationConfig: Receiver }),
  'tasks/pushNotificationConfig/get': z.looseObject({ id: Id, pushNotificationConfigId: Id.nullish() }),
  'tasks/pushNotificationConfig/list': z.looseObject({ id: Id }),
  'tasks/pushNotificationConfig/delete': z.looseObject({ id: Id, pushNotificationConfigId: Id }),
};

/** Checks the parameters of a method of A2A 0.3. @throws RequestMalformedError when a parameter is invalid; the error names the first invalid one */
export function requireLegacyParams({ method, params }: { method?: unknown; params?: unknown }): void {
  const issue = PARAMS[String(method)]?.safeParse(params).error?.issues[0];
  if (issue) throw new RequestMalformedError(`${issue.path.join('.') || 'params'}: ${issue.message}`);
}
