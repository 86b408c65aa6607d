import type { Tool } from '../../tools/index.ts';
import { plainName } from '../../tools/index.ts';
import type { ToolCall } from './call-model.ts';

// Calls of tools as models write them: with names that are none, and ids twice.

/** Source: chat completions, tools[].function.name. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const UNKNOWN = 'unknown';

/** What some models write before names. */
const PREFIX = 'functions.';

/** The name of the tool that is meant; the name as it is where none is. */
function meantName(name: string, tools: readonly Tool[]): string {
  const trimmed = name.trim();
  const bare = trimmed.startsWith(PREFIX) ? trimmed.slice(PREFIX.length) : trimmed;
  return [name, trimmed, bare].find((one) => tools.some((tool) => tool.name === one)) ?? name;
}

/** A name as it may stand in the messages of a request. */
export const nameInMessages = (name: string): string => (TOOL_NAME.test(name) ? name : plainName(name) || UNKNOWN);

/** The calls of one turn: those that mean a tool under its name, and each with an id of its own. */
export function takenCalls(calls: readonly ToolCall[], tools: readonly Tool[]): readonly ToolCall[] {
  const wanted = new Set(calls.map(({ id }) => id));
  const taken = new Set<string>();
  return calls.map((call) => {
    let { id } = call;
    for (let number = 2; id === '' || taken.has(id); number++) {
      const next = `${call.id || 'call'}_${number}`;
      if (!wanted.has(next)) id = next;
    }
    taken.add(id);
    return { ...call, id, name: meantName(call.name, tools) };
  });
}
