import { toolCallId } from '../../../kernel/ids.ts';
import { type JsonText, fromJsonText, toJsonText } from '../../../kernel/json-text.ts';
import type { ChatEvent } from '../../../ports/engine.ts';
import { type JsonObject, asNumber, asObject, asText } from './json.ts';

/** A tool call of one choice, as far as it has come. */
export interface OpenCall {
  /** Its position among the calls of the choice. */
  readonly call: number;
  /** The server's own id; null where it gave none. */
  givenId: string | null;
  /** The name as far as it has come; empty before it has. */
  name: string;
  /** Whether it was given out, its name with it. */
  named: boolean;
  /** Arguments so far. */
  json: string;
}

export interface ToolCalls {
  readonly count: number;
  /**
   * Takes one element of `tool_calls`, whole or a piece. Returns the call it belongs to. `siblings` are the calls of the elements before it in
   * the same list: one with a name is a call beside them, and so is each of a `whole` reply.
   */
  take(element: JsonObject, siblings: readonly OpenCall[], whole: boolean): OpenCall | null;
  /** Takes further arguments of a call. */
  append(open: OpenCall, json: JsonText): void;
  /** No more will come: calls that never got a name are given out as they are. */
  flush(): void;
}

function isComplete(json: string): boolean {
  try {
    JSON.parse(fromJsonText(json as JsonText));
    return true;
  } catch {
    // Not whole yet.
    return false;
  }
}

/**
 * Whether an element starts another call although its index was seen before. Ollama gives every call the index 0, whole;
 * other servers repeat id and name with each piece, or make up a new id for each.
 */
function startsAnother(open: OpenCall, id: string | null, name: string | null): boolean {
  if (name === null || open.name === '') return false;
  if (id !== null && open.givenId !== null) return id !== open.givenId;
  return open.named && isComplete(open.json);
}

/** A name that comes in pieces: each the next one, or all of it so far. */
const joinName = (before: string, piece: string) => (piece.startsWith(before) ? piece : before + piece);

/** Gives out the tool calls of one choice in the order in which they begin, numbered from 0, ids and names once each. */
export function createToolCalls(choice: number, emit: (event: ChatEvent) => void, onNew: () => void): ToolCalls {
  const calls: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();
  const byId = new Map<string, OpenCall>();

  const give = (open: OpenCall) => {
    if (open.named) return;
    open.named = true;
    // Some servers have the name as the id of each call: results could not be told apart by it.
    const isTaken = calls.some((other) => other !== open && other.named && other.givenId === open.givenId);
    const id = open.givenId === null || isTaken ? toolCallId() : open.givenId;
    emit({ type: 'tool_call', choice, call: open.call, id, name: open.name });
    if (open.json !== '') emit({ type: 'tool_arguments', choice, call: open.call, json: open.json as JsonText });
  };

  const find = (
    index: number | null,
    id: string | null,
    text: string | null,
    siblings: readonly OpenCall[],
    whole: boolean,
  ): OpenCall => {
    const last = calls.at(-1);
    // Without index and id a name begins another call, unless that of the last one may still go on.
    const follows = text === null || (id === null && last?.named === false);
    const known =
      index === null ? ((id === null ? undefined : byId.get(id)) ?? (follows ? last : undefined)) : byIndex.get(index);
    const isBeside = known !== undefined && (whole || text !== null) && siblings.includes(known);
    if (known && !isBeside && !startsAnother(known, id, text)) return known;
    onNew();
    // Names are whole once the next call begins.
    for (const before of calls) if (before.name !== '') give(before);
    const open: OpenCall = { call: calls.length, givenId: id, name: '', named: false, json: '' };
    calls.push(open);
    if (index !== null) byIndex.set(index, open);
    if (id !== null) byId.set(id, open);
    return open;
  };

  const append = (open: OpenCall, json: JsonText) => {
    open.json += json;
    if (open.named) emit({ type: 'tool_arguments', choice, call: open.call, json });
    else if (open.name !== '') give(open);
  };

  return {
    get count() {
      return calls.length;
    },
    take(element, siblings, whole) {
      const call = asObject(element['function']);
      if (!call) return null;
      const text = asText(call['name']);
      const id = asText(element['id']);
      const open = find(asNumber(element['index']), id, text, siblings, whole);
      open.givenId ??= id;
      if (text !== null && !open.named) open.name = joinName(open.name, text);
      if (open.name !== '' && open.json !== '') give(open);
      const given = call['arguments'];
      const piece = typeof given === 'object' && given !== null ? JSON.stringify(given) : asText(given);
      if (piece !== null) append(open, toJsonText(piece));
      return open;
    },
    append,
    flush() {
      for (const open of calls) give(open);
    },
  };
}
