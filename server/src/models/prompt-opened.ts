/**
 * Published names of models whose chat templates always open the thinking in the prompt, so that a reply begins within it.
 * Sources: the `tokenizer_config.json` of deepseek-ai/DeepSeek-R1, -R1-0528 and -R1-Distill-* (`<think>\n` since February
 * 2025), Qwen/QwQ-32B, Qwen/Qwen3-*-Thinking-2507 and Qwen3-Next-80B-A3B-Thinking, MiniMaxAI/MiniMax-M2 (the same), LGAI-EXAONE/EXAONE-Deep-*
 * (`<thought>\n`).
 */
const promptOpened =
  /deepseek-?r1|(?:^|[-_/])r1-(?:0528|distill)|qwq|qwen-?3[\w.-]*-thinking|minimax-?m2|exaone-?deep/i;

/** Whether replies of a model of this name begin within their thinking, where no parser of the engine takes it out. */
export const opensThinkingInPrompt = (name: string): boolean => promptOpened.test(name);
