import { ConfigError } from '@millwright/config';
import { loadConfig } from './config.js';

describe('loadConfig', () => {
  it('names every invalid variable, but none of the values', () => {
    const env = { DATABASE_URL: 'hunter2', PROMPT_API_URL: 'hunter2', PORT: 'hunter2', MODEL_TIMEOUT_MS: 'hunter2' };
    const faults = () => loadConfig(env);
    expect(faults).toThrow(ConfigError);
    expect(faults).toThrow(/DATABASE_URL[^]*PROMPT_API_URL|PROMPT_API_URL[^]*DATABASE_URL/);
    expect(faults).toThrow(/PORT/);
    expect(faults).toThrow(/MODEL_TIMEOUT_MS/);
    expect(faults).not.toThrow(/hunter2/);
  });
});
