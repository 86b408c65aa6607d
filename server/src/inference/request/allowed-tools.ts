import type { ChatRequest, ToolChoice } from '@ai-studio/contract/chat/request.ts';
import { parseJson } from './check.ts';

type AllowedTools = Extract<ToolChoice, { readonly type: 'allowed_tools' }>;

/** Whether a request names those of its tools that may be called. */
export const isAllowedTools = (choice: ChatRequest['tool_choice']): choice is AllowedTools =>
  typeof choice === 'object' && choice !== null && choice.type === 'allowed_tools';

/**
 * The same request as models' servers know it: without the tools that may not be called. Source: OpenAI, API reference, "Create chat
 * completion", tool_choice. Few requests are of this form: all of it is written anew.
 */
export function withAllowedTools(bytes: Buffer): Buffer {
  const request = parseJson(bytes.toString('utf8')) as ChatRequest & { readonly tool_choice: AllowedTools };
  const { mode, tools: allowed } = request.tool_choice.allowed_tools;
  const names = new Set(allowed.map((tool) => tool.function.name));
  const tools = request.tools?.filter((tool) => names.has(tool.function.name));
  return Buffer.from(JSON.stringify({ ...request, tools, tool_choice: mode }));
}
