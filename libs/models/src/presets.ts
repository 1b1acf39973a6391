/** A provider, with the values that prefill the form of a model. */
export interface ModelPreset {
  name: string;
  /**
   * Base address; null when each installation of the provider has its own address. The user replaces the part in
   * capital letters.
   */
  baseUrl: string | null;
  /** Whether the provider requires an API key. */
  needsKey: boolean;
  /** Address of the provider's list of models; null when it depends on the installation. */
  modelsUrl: string | null;
}

/** Providers with an OpenAI-compatible API, by the value of a model's `preset`. */
export const MODEL_PRESETS = {
  openai: {
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    modelsUrl: 'https://platform.openai.com/docs/models',
  },
  anthropic: {
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    needsKey: true,
    modelsUrl: 'https://docs.claude.com/en/docs/about-claude/models/overview',
  },
  google: {
    name: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    needsKey: true,
    modelsUrl: 'https://ai.google.dev/gemini-api/docs/models',
  },
  azure: {
    name: 'Azure OpenAI',
    baseUrl: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1',
    needsKey: true,
    modelsUrl: null,
  },
  mistral: {
    name: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    needsKey: true,
    modelsUrl: 'https://docs.mistral.ai/getting-started/models',
  },
  groq: {
    name: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    needsKey: true,
    modelsUrl: 'https://console.groq.com/docs/models',
  },
  ollama: {
    name: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    needsKey: false,
    modelsUrl: 'https://ollama.com/library',
  },
  vllm: { name: 'vLLM', baseUrl: 'http://localhost:8000/v1', needsKey: false, modelsUrl: null },
  litellm: { name: 'LiteLLM', baseUrl: 'http://localhost:4000/v1', needsKey: true, modelsUrl: null },
  compatible: { name: 'Any OpenAI-compatible API', baseUrl: null, needsKey: false, modelsUrl: null },
} as const satisfies Record<string, ModelPreset>;
export type ModelPresetName = keyof typeof MODEL_PRESETS;
