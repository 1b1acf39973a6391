import type { FakeModel } from '@millwright/testing';

interface ChatRequest {
  messages: { role: string; content: string }[];
  tools?: { function: { name: string } }[];
}

/** Makes the model call the first of the agent's tools with the arguments, then answer with the tool's result. */
export function callFirstTool(model: FakeModel, callArguments: object = {}): void {
  model.answerWith(({ body }) => {
    const { messages, tools = [] } = body as unknown as ChatRequest;
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    if (results.length > 0) return { content: `Tool: ${results.join()}` };
    const called = { name: tools[0]?.function.name ?? '', arguments: JSON.stringify(callArguments) };
    return { content: null, toolCalls: [{ id: 'call_1', type: 'function', function: called }] };
  });
}
