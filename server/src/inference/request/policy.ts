import type { ChatRequest, Message } from '@ai-studio/contract/chat/request.ts';
import { CONTEXT_LENGTH_EXCEEDED, invalidRequest, StudioError } from '../../kernel/errors.ts';
import { isAllowedTools } from './allowed-tools.ts';
import type { CatalogueModel } from '../../models/catalogue.ts';

// Source of the rules: decisions section 2, "Request". Names and ids compare the same in a latin1 view of the body.

function checkTools(request: ChatRequest): void {
  const { tools, tool_choice: choice } = request;
  if (!tools) {
    if (choice != null)
      throw invalidRequest('tool_choice needs tools; give tools or leave tool_choice out', 'tool_choice');
    if (request.parallel_tool_calls != null) {
      throw invalidRequest('parallel_tool_calls needs tools; give tools or leave it out', 'parallel_tool_calls');
    }
    return;
  }
  const names = new Set<string>();
  for (const [
    i,
    {
      function: { name },
    },
  ] of tools.entries()) {
    if (names.has(name))
      throw invalidRequest(
        `tools[${i}].function.name is used twice; tool names must differ`,
        `tools[${i}].function.name`,
      );
    names.add(name);
  }
  if (isAllowedTools(choice)) {
    const at = choice.allowed_tools.tools.findIndex((tool) => !names.has(tool.function.name));
    if (at < 0) return;
    const param = `tool_choice.allowed_tools.tools[${at}].function.name`;
    throw invalidRequest(`${param} must be one of the tools: ${[...names].join(', ')}`, param);
  }
  if (typeof choice === 'object' && choice !== null && !names.has(choice.function.name)) {
    throw invalidRequest(
      `tool_choice.function.name must be one of the tools: ${[...names].join(', ')}`,
      'tool_choice.function.name',
    );
  }
}

function hasText(content: Message['content']): boolean {
  return content !== null && content !== undefined;
}

const NO_CALLS: ReadonlySet<string> = new Set();

function requireAnswerable(id: string, i: number, open: ReadonlySet<string>, answered: ReadonlySet<string>): void {
  const param = `messages[${i}].tool_call_id`;
  if (answered.has(id)) throw invalidRequest(`${param} answers a tool call that has its answer already`, param);
  if (!open.has(id)) throw invalidRequest(`${param} answers no tool call of the assistant message before it`, param);
}

/** Every `tool` message answers a call of the assistant message before it, and each call at most once. */
function checkMessages(messages: readonly Message[]): void {
  let open: ReadonlySet<string> = NO_CALLS;
  let answered: Set<string> | null = null;
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as Message;
    if (message.role === 'tool') {
      requireAnswerable(message.tool_call_id, i, open, answered ?? NO_CALLS);
      (answered ??= new Set()).add(message.tool_call_id);
      continue;
    }
    open = NO_CALLS;
    answered = null;
    if (message.role !== 'assistant') continue;
    const calls = message.tool_calls ?? [];
    if (calls.length > 0) open = new Set(calls.map(({ id }) => id));
    else if (!hasText(message.content)) {
      throw invalidRequest(
        `messages[${i}].content is required for an assistant message without tool_calls`,
        `messages[${i}].content`,
      );
    }
  }
}

/** The rules between fields. Throws the StudioError that names the field. */
export function checkPolicy(request: ChatRequest, model: CatalogueModel): void {
  if (request.stream_options != null && request.stream !== true) {
    throw invalidRequest('stream_options needs stream: true', 'stream_options');
  }
  if (request.top_logprobs != null && request.top_logprobs > 0 && request.logprobs !== true) {
    throw invalidRequest('top_logprobs needs logprobs: true', 'top_logprobs');
  }
  if (request.tools && !model.tools) throw invalidRequest(`The model ${model.id} does not take tools`, 'tools');
  checkTools(request);
  checkMessages(request.messages);
  const min = request.min_tokens ?? 0;
  const max = request.max_completion_tokens ?? request.max_tokens;
  if (max != null && min > max)
    throw invalidRequest(`min_tokens (${min}) must not be greater than max_tokens (${max})`, 'min_tokens');
  if (max != null && max >= model.context_length) {
    throw new StudioError(
      'invalid_request',
      `This model's maximum context length is ${model.context_length} tokens, and max_tokens is ${max}: no token of it is left for the prompt`,
      { param: 'max_tokens', reason: CONTEXT_LENGTH_EXCEEDED },
    );
  }
}
