import { UNMARKED_TOOLS } from '@millwright/auth/tool-rules';
import { z } from 'zod';

/** Setting for projects without a tool policy: the rule of their unmarked tools. */
export const toolRulesConfig = {
  /** The rule of tools that no admin has marked. */
  UNMARKED_TOOLS: z.enum(UNMARKED_TOOLS).default('allow'),
};
