import type { Skill } from '../../api/platform-records.js';
import type { SavedInput } from '../prompts/saved-inputs.js';

export type SampleKind = 'agent' | 'skill' | 'content' | 'prompt';

/** Tag that marks sample prompts and sample content. The sample agent searches the content with this tag. */
export const TAG = 'sample-records';

/** Text in the description that marks samples whose kind has no tags: agents and skills. */
export const SAMPLE_WORDS = 'One of the sample records.';

const NAMES = {
  agent: ['Shop guide (sample)'],
  skill: ['Kind answers (sample)'],
  content: ['Returns (sample)', 'Delivery (sample)'],
  prompt: ['Sort a review (sample)'],
} as const satisfies Record<SampleKind, readonly string[]>;

/** Whether a record that is marked as a sample still has the name of a sample. */
export const isSample = ({ kind, name }: { kind: SampleKind; name: string }): boolean =>
  NAMES[kind].some((one) => one === name);

const skill: Pick<Skill, 'name' | 'description' | 'instructions'> = {
  name: NAMES.skill[0],
  description: `How to answer customers. ${SAMPLE_WORDS}`,
  instructions: 'Answer in at most three sentences. Name the rule that you rely on. When no rule fits, offer a person.',
};

const RETURNS = `Orders can be returned within 30 days of delivery. The item must be unused and in its box.
We refund the price within 5 working days of its arrival. Sale items are exchanged, not refunded.`;
const DELIVERY = `Orders that are placed before 14:00 leave on the same working day.
Delivery takes two working days and costs 4.90, and nothing from 50.00.`;

/** Changes that create the samples of the platform API, in one transaction. */
export const PLATFORM_SAMPLES = [
  { kind: 'skill', action: 'create', ref: '@skill', fields: skill },
  ...[RETURNS, DELIVERY].map((body, index) => ({
    kind: 'content',
    action: 'create',
    fields: { title: NAMES.content[index], body, tags: [TAG] },
  })),
  {
    kind: 'agent',
    action: 'create',
    fields: {
      name: NAMES.agent[0],
      description: `Answers questions about orders, by content, a skill, the clock and the calculator. ${SAMPLE_WORDS}`,
      instructions: 'You help the customers of a shop. Use its rules of delivery and returns, and cite them.',
      skill_ids: ['@skill'],
      content_tags: [TAG],
      mcp_tools: ['platform/*'],
    },
  },
];

const input = {
  schema: {
    type: 'object',
    properties: {
      review: { type: 'string', description: 'What the customer wrote' },
      shop: { type: 'string', description: 'Name of the shop' },
    },
    required: ['review', 'shop'],
  },
};
const output = {
  schema: {
    type: 'object',
    properties: { mood: { type: 'string', enum: ['happy', 'mixed', 'unhappy'] } },
    required: ['mood'],
    additionalProperties: false,
  },
};

/** Changes that create the sample of the prompt API, a prompt with two versions, in one transaction. */
export const PROMPT_SAMPLES = [
  {
    kind: 'prompt',
    action: 'create',
    ref: '@prompt',
    fields: {
      instruction: { static: 'You sort reviews of {{shop}} by mood.', dynamic: 'Sort this review: {{review}}' },
      input,
      output,
      metadata: { title: NAMES.prompt[0], description: SAMPLE_WORDS, tag: [TAG] },
    },
  },
  {
    kind: 'prompt',
    action: 'update',
    id: '@prompt',
    fields: {
      instruction: {
        static: 'You sort reviews of {{shop}} by mood. A review that praises and complains is mixed.',
      },
      metadata: { log_message: 'A rule for mixed reviews' },
    },
  },
];

/** Version of the sample prompt after {@link PROMPT_SAMPLES} are stored. */
export const PROMPT_VERSION = 2;

/** Saved inputs for the workbench of the sample prompt. */
export const SAMPLE_CASES: readonly SavedInput[] = [
  { review: 'Fast delivery, lovely cups!', mood: 'happy' },
  { review: 'Lovely cups, but one was broken.', mood: 'mixed' },
].map(({ review, mood }) => ({
  name: `A ${mood} review`,
  message: '',
  texts: { review, shop: 'Mill & Co' },
  json: null,
  expected: JSON.stringify({ mood }),
}));
