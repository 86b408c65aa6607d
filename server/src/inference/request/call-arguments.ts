import type { Message } from '@ai-studio/contract/chat/request.ts';

// What a model wrote as arguments of a call comes back with the next request, as it was written. vLLM (entrypoints/chat_utils.py) and
// llama-server (common/chat.cpp) read it as JSON before the template has it, and refuse the whole request where it is none; templates
// of Qwen 3 Coder, GLM and others want an object.

type Calls = NonNullable<Extract<Message, { role: 'assistant' }>['tool_calls']>;

const NONE = '{}';

function isObject(text: string): boolean {
  // Most are, and begin so.
  if (!text.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the arguments of a call are no JSON object. Of a body of which texts are cut, those that are long may be. */
export function hasBrokenArguments(calls: Calls): boolean {
  for (const { function: called } of calls) if (!isObject(called.arguments)) return true;
  return false;
}

/** The same calls; those whose arguments are no JSON object have none. What the tool said of them follows in its answer. */
export const withSoundArguments = (calls: Calls): Calls =>
  hasBrokenArguments(calls)
    ? calls.map((call) =>
        isObject(call.function.arguments) ? call : { ...call, function: { ...call.function, arguments: NONE } },
      )
    : calls;
