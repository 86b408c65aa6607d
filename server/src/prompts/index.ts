export { listPrompts, listVersions } from './list.ts';
export { changePrompt, createPrompt, deletePrompt, getPrompt } from './prompts.ts';
