import { expect, test } from 'vitest';
import { opensThinkingInPrompt } from './prompt-opened.ts';

test('models whose templates open the thinking in the prompt are known by their published names', () => {
  for (const name of [
    'deepseek-ai/DeepSeek-R1',
    'deepseek-ai/DeepSeek-R1-Distill-Qwen-32B',
    'deepseek-r1:8b',
    'Qwen/QwQ-32B',
    'Qwen/Qwen3-235B-A22B-Thinking-2507-FP8',
    'Qwen/Qwen3-Next-80B-A3B-Thinking',
    'MiniMaxAI/MiniMax-M2',
    'LGAI-EXAONE/EXAONE-Deep-32B',
  ])
    expect(opensThinkingInPrompt(name), name).toBe(true);
  for (const name of [
    'CORE-GOV-THINK',
    'Qwen/Qwen3-32B',
    'Qwen/Qwen3-30B-A3B-Instruct-2507',
    'LGAI-EXAONE/EXAONE-4.0-32B',
    'deepseek-ai/DeepSeek-V3.1',
    'gpt-5',
  ])
    expect(opensThinkingInPrompt(name), name).toBe(false);
});
