import type { ChatCall } from '../../../ports/engine.ts';
import type { OutputLimit } from './context/output-limit.ts';
import { type DialectRules, dialects } from './dialects.ts';

/** The edits that a request needs for one server. */
export interface RequestEdits {
  readonly edits: Record<string, unknown>;
  /** Fields added by the service, not the caller; a request is retried without one that the server refuses. */
  readonly ours: readonly string[];
}

function editTopP(call: ChatCall, rules: DialectRules, edits: Record<string, unknown>): void {
  const topP = call.body.peek('top_p');
  if (rules.topP === null || typeof topP !== 'number') return;
  if (topP < rules.topP.min) edits['top_p'] = rules.topP.min;
  else if (topP > rules.topP.max) edits['top_p'] = undefined;
}

function hasStops(call: ChatCall): boolean {
  const stop = call.body.peek('stop');
  return typeof stop === 'string' || (Array.isArray(stop) && stop.length > 0);
}

function rename(call: ChatCall, rules: DialectRules, edits: Record<string, unknown>): void {
  for (const from in rules.renames) {
    const to = rules.renames[from] ?? from;
    const value = from in edits ? edits[from] : call.body.peek(from);
    if (value === undefined) continue;
    edits[from] = undefined;
    edits[to] = value;
  }
}

/**
 * What is set in and cut out of a chat request for a server of the given rules. `refused` are fields of ours that it did
 * not take before; `limit` is the length limit where the caller gave none. Sources: the table of dialects; decisions section 2 for `top_p: 0`, `skip_special_tokens` and `kv_transfer_params`.
 */
export function editsFor(
  call: ChatCall,
  rules: DialectRules,
  refused: ReadonlySet<string>,
  limit?: OutputLimit,
): RequestEdits {
  const edits: Record<string, unknown> = {
    model: call.model,
    stream: call.stream,
    stream_options: undefined,
    kv_transfer_params: undefined,
  };
  const ours: string[] = [];
  const add = (field: string, value: unknown) => {
    if (refused.has(field)) return;
    edits[field] = value;
    ours.push(field);
  };
  if (limit !== undefined) edits['max_tokens'] = limit ?? undefined;
  for (const field of rules.drops) edits[field] = undefined;
  if (!rules.choices) edits['n'] = undefined;
  rename(call, rules, edits);
  editTopP(call, rules, edits);
  for (const field in rules.defaults) if (call.body.peek(field) === undefined) add(field, rules.defaults[field]);
  if (call.thinking === false) for (const field in rules.thinkingOff) add(field, rules.thinkingOff[field]);
  // The service cuts at stop strings itself where the server would hide which one it was: in a stream, which it can end,
  // also for a reply that goes out whole. What an unknown server makes of that is not known.
  const cutHere = !rules.reportsStop && (call.stream || (rules !== dialects.unknown && hasStops(call)));
  if (cutHere) edits['stop'] = undefined;
  if (call.stream || cutHere) {
    edits['stream'] = true;
    if (rules.streamOptions) add('stream_options', rules.streamOptions);
  }
  return { edits, ours };
}

/** Which of our own fields a refusal complains of; null when it is about something of the caller's. */
export function refusedField(ours: readonly string[], message: string | null, param: string | null): string | null {
  for (const field of ours) {
    if (param === field || param?.startsWith(`${field}.`) === true || message?.includes(field) === true) return field;
  }
  return message?.includes('include_usage') === true && ours.includes('stream_options') ? 'stream_options' : null;
}
