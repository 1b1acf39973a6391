export const REFRESH = [['prompt', 'v1', 'prompt']];
