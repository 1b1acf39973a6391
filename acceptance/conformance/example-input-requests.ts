import { randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  type InputRequests,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { declaredBy, textResult } from './example-tools.js';

interface State {
  of: string;
  round: number;
}

export const STATE = createRequestStateCodec<State>({ key: randomBytes(32), ttlSeconds: 600 });

type Answer = ReturnType<typeof answerOf>;
type Answers = ServerContext['mcpReq']['inputResponses'];

const asked = (message: string, properties: Record<string, object>, required = Object.keys(properties)) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } as never });
const sample = (text: string, maxTokens = 100) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });
const NAME = () => asked('What is your name?', { name: { type: 'string' } });
const CONFIRM = () => asked('Please confirm', { ok: { type: 'boolean' } });

/** Returns the value of a form's field; undefined unless the user accepted the form. */
function filled(answers: Answers, key: string, field: string): unknown {
  const answer = inputResponse(answers, key);
  return answer.kind === 'elicit' && answer.action === 'accept' ? answer.content?.[field] : undefined;
}

const outcome = (answers: Answers, key: string) => {
  const answer = inputResponse(answers, key);
  return answer.kind === 'elicit'
    ? `action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`
    : undefined;
};

/**
 * Registers tools and a prompt that send input requests. In MCP 2026-07-28 a result contains the input requests; in 2025-11-25 the server
 * sends them to the client as separate requests.
 */
export function addInputRequestTools(mcp: McpServer): void {
  addByResult(mcp);
  addByRequest(mcp);
  mcp.registerPrompt('test_input_required_result_prompt', { description: 'Asks for its context.' }, ({ mcpReq }) => {
    const context = filled(mcpReq.inputResponses, 'user_context', 'context');
    if (typeof context !== 'string') {
      const inputRequests = { user_context: asked('What context?', { context: { type: 'string' } }) };
      return inputRequired({ inputRequests });
    }
    const text = `Prompt with context: ${context}`;
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

function addByResult(mcp: McpServer): void {
  // The SDK refuses requests for capabilities that its client did not declare.
  mcp.registerTool('test_missing_capability', { description: 'Asks the model of its client.' }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'sample');
    return answer.kind === 'sampling'
      ? textResult('Success')
      : inputRequired({ inputRequests: { sample: sample('Hello') } });
  });
  const add = (name: string, run: (mcpReq: ServerContext['mcpReq']) => Answer | Promise<Answer>) =>
    mcp.registerTool(`test_input_required_result_${name}`, { description: `Asks: ${name}.` }, ({ mcpReq }) =>
      run(mcpReq),
    );
  const stateOf = (mcpReq: ServerContext['mcpReq'], of: string) => {
    const state = mcpReq.requestState<State>();
    return state?.of === of ? state.round : 0;
  };

  add('elicitation', ({ inputResponses }) => {
    const name = filled(inputResponses, 'user_name', 'name');
    return typeof name === 'string'
      ? textResult(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: NAME() } });
  });
  add('sampling', ({ inputResponses }) => {
    const answer = inputResponse(inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return textResult(JSON.stringify(answer));
    return inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } });
  });
  add('list_roots', ({ inputResponses }) => {
    const answer = inputResponse(inputResponses, 'client_roots');
    if (answer.kind === 'roots') return textResult(JSON.stringify(answer));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  for (const name of ['request_state', 'tampered_state'])
    add(name, async (mcpReq) => {
      if (stateOf(mcpReq, name) === 1 && filled(mcpReq.inputResponses, 'confirm', 'ok') === true)
        return textResult('state-ok: requestState validated');
      const requestState = await STATE.mint({ of: name, round: 1 });
      return inputRequired({ inputRequests: { confirm: CONFIRM() }, requestState });
    });
  add('multiple_inputs', async (mcpReq) => {
    const { inputResponses } = mcpReq;
    const name = filled(inputResponses, 'user_name', 'name');
    const isAnswered = ['greeting', 'client_roots'].every(
      (key) => inputResponse(inputResponses, key).kind !== 'missing',
    );
    if (stateOf(mcpReq, 'multiple_inputs') === 1 && typeof name === 'string' && isAnswered)
      return textResult(`Hello, ${name}!`);
    const requestState = await STATE.mint({ of: 'multiple_inputs', round: 1 });
    const inputRequests = { user_name: NAME(), greeting: sample('Generate a greeting', 50) };
    return inputRequired({
      inputRequests: { ...inputRequests, client_roots: inputRequired.listRoots() },
      requestState,
    });
  });
  add('multi_round', async (mcpReq) => {
    const { inputResponses } = mcpReq;
    const round = stateOf(mcpReq, 'multi_round');
    const color = filled(inputResponses, 'step2', 'color');
    if (round === 2 && typeof color === 'string') return textResult(`All is known, ${color} too.`);
    const isNamed = round === 1 && typeof filled(inputResponses, 'step1', 'name') === 'string';
    const requestState = await STATE.mint({ of: 'multi_round', round: isNamed ? 2 : 1 });
    const step2 = asked('Step 2: What is your favorite color?', { color: { type: 'string' } });
    return inputRequired({ inputRequests: isNamed ? { step2 } : { step1: NAME() }, requestState });
  });
  add('capabilities', (mcpReq) => {
    const { inputResponses } = mcpReq;
    // oxlint-disable-next-line typescript/no-deprecated -- what a client of 2025-11-25 declared when it opened its session
    const { elicitation, sampling } = { ...mcp.server.getClientCapabilities(), ...declaredBy(mcpReq) };
    const inputRequests: InputRequests = {
      ...(elicitation && { elicit_input: asked('Elicitation input', { value: { type: 'string' } }) }),
      ...(sampling && { sample_input: sample('Sample request', 50) }),
    };
    const isDone = Object.keys(inputResponses ?? {}).length > 0 || Object.keys(inputRequests).length === 0;
    return isDone ? textResult('Nothing more to ask') : inputRequired({ inputRequests });
  });
}

/** Registers the tools for the scenarios of 2025-11-25. */
function addByRequest(mcp: McpServer): void {
  const text = (name: string) =>
    fromJsonSchema<Record<string, string>>({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    });
  mcp.registerTool(
    'test_sampling',
    { description: 'Asks the model of its client.', inputSchema: text('prompt') },
    ({ prompt = '' }, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'sample');
      if (answer.kind !== 'sampling') return inputRequired({ inputRequests: { sample: sample(prompt) } });
      return textResult(`LLM response: ${JSON.stringify(answer)}`);
    },
  );
  mcp.registerTool(
    'test_elicitation',
    { description: 'Asks the user of its client.', inputSchema: text('message') },
    ({ message = '' }, { mcpReq }) => answerOf(mcpReq.inputResponses, 'User response', asked(message, RESPONSE)),
  );
  for (const [name, form] of [
    ['sep1034_defaults', DEFAULTS],
    ['sep1330_enums', ENUMS],
  ] as const)
    mcp.registerTool(`test_elicitation_${name}`, { description: `Asks with a form: ${name}.` }, ({ mcpReq }) =>
      answerOf(mcpReq.inputResponses, 'Elicitation completed', asked('Please fill in the form', form, [])),
    );
}

function answerOf(answers: Answers, prefix: string, question: InputRequests[string]) {
  const text = outcome(answers, 'form');
  return text === undefined ? inputRequired({ inputRequests: { form: question } }) : textResult(`${prefix}: ${text}`);
}

const RESPONSE = { response: { type: 'string', description: "User's response" } };
const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const titled = (name: string) => [1, 2, 3].map((n) => ({ const: `value${n}`, title: `${name} ${n}` }));
const ENUMS = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  },
  titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled('Choice') } },
};
