import { ChatRequest } from '@ai-studio/contract/chat/request.ts';

/** Fields beside messages, prompt and tools that may hold texts, in the order in which they are looked through. */
export const otherTextFields = [
  'response_format',
  'stop',
  'user',
  'chat_template_kwargs',
  'service_tier',
] as const satisfies readonly (keyof ChatRequest)[];

/** Fields of the interface; all others may go on to an engine as well, and may hold anything. */
export const interfaceFields: ReadonlySet<string> = new Set([...Object.keys(ChatRequest.shape), 'prompt']);
