/** A message as templates take it. */
export type TemplateMessage = Readonly<Record<string, unknown>>;

/** What a template supports and requires of messages, by its source. */
export interface TemplateCapabilities {
  /** Arguments of calls as an object; else as JSON text. */
  readonly argumentsAsObject: boolean;
  readonly systemRole: boolean;
  /** Roles must alternate: neighbours of one role are joined. */
  readonly alternates: boolean;
  /** Answers of tools stand in the message of their calls. */
  readonly toolResponses: boolean;
  /** Ids of calls must be nine letters or digits. */
  readonly shortIds: boolean;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return json;
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : json;
  } catch {
    // What a client sends as arguments need not be JSON.
    return json;
  }
}

function callOf(call: unknown, { argumentsAsObject }: TemplateCapabilities): unknown {
  if (!isRecord(call) || !isRecord(call['function'])) return call;
  const { name, arguments: given } = call['function'];
  const asText = typeof given === 'string' ? given : JSON.stringify(given ?? {});
  return {
    id: call['id'],
    type: 'function',
    function: { name, arguments: argumentsAsObject ? parsed(given) : asText },
  };
}

function messageOf(message: TemplateMessage, capabilities: TemplateCapabilities): TemplateMessage {
  // Earlier thinking is not shown to the model again; what is not known to templates is left out.
  const { role, content, tool_calls: calls, tool_call_id: answers, name } = message;
  return {
    role: role === 'developer' ? 'system' : role,
    content: textOf(content),
    ...(Array.isArray(calls) && calls.length > 0
      ? { tool_calls: calls.map((call) => callOf(call, capabilities)) }
      : {}),
    ...(answers === undefined ? {} : { tool_call_id: answers }),
    ...(name === undefined ? {} : { name }),
  };
}

/** Puts what system messages say before the first message of the user, for templates without that role. */
function withoutSystem(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content as string);
  const others = messages.filter(({ role }) => role !== 'system');
  if (system.length === 0) return others;
  const first = others.findIndex(({ role }) => role === 'user');
  const text = system.join('\n\n');
  if (first < 0) return [{ role: 'user', content: text }, ...others];
  return others.map((message, i) =>
    i === first ? { ...message, content: `${text}\n\n${message['content'] as string}` } : message,
  );
}

/** Names of tools for their answers, which some templates ask for: the OpenAI format gives the id of the call only. */
function withToolNames(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const names = new Map<unknown, unknown>();
  return messages.map((message) => {
    for (const call of (message['tool_calls'] ?? []) as { id?: unknown; function?: { name?: unknown } }[])
      names.set(call.id, call.function?.name);
    if (message['role'] !== 'tool' || message['name'] !== undefined) return message;
    return { ...message, name: names.get(message['tool_call_id']) ?? '' };
  });
}

const joinable = ({ role, tool_calls: calls }: TemplateMessage) =>
  (role === 'user' || role === 'assistant') && calls === undefined;

/** Joins neighbours of one role. Calls and their answers stay apart. */
function withTurns(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const turns: TemplateMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last && last['role'] === message['role'] && joinable(last) && joinable(message))
      turns[turns.length - 1] = {
        ...last,
        content: `${last['content'] as string}\n\n${message['content'] as string}`,
      };
    else turns.push(message);
  }
  return turns;
}

/** Gives calls ids of nine characters, and their answers the same: ids of other servers are longer. Source: Mistral's chat templates. */
function withShortIds(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const ids = new Map<unknown, string>();
  const shortOf = (id: unknown) => {
    const known = ids.get(id) ?? String(ids.size + 1).padStart(9, '0');
    ids.set(id, known);
    return known;
  };
  return messages.map((message) => {
    const { tool_calls: calls, tool_call_id: answers } = message;
    return {
      ...message,
      ...(Array.isArray(calls)
        ? { tool_calls: calls.map((c: unknown) => (isRecord(c) ? { ...c, id: shortOf(c['id']) } : c)) }
        : {}),
      ...(answers === undefined ? {} : { tool_call_id: shortOf(answers) }),
    };
  });
}

/** Puts the answers of tools into the message whose calls they answer. Source: the chat template of Gemma 4. */
function withToolResponses(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const merged: TemplateMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message['role'] !== 'tool' || last?.['tool_calls'] === undefined) {
      merged.push(message);
      continue;
    }
    const before = (last['tool_responses'] ?? []) as readonly unknown[];
    const response = { name: message['name'], response: message['content'] };
    merged[merged.length - 1] = { ...last, tool_responses: [...before, response] };
  }
  return merged;
}

/** Messages of the OpenAI format as the template wants them. */
export function templateMessages(
  messages: readonly TemplateMessage[],
  capabilities: TemplateCapabilities,
): TemplateMessage[] {
  const plain = withToolNames(messages.map((message) => messageOf(message, capabilities)));
  const known = capabilities.systemRole ? plain : withoutSystem(plain);
  const answered = capabilities.toolResponses ? withToolResponses(known) : known;
  const turns = capabilities.alternates ? withTurns(answered) : answered;
  return capabilities.shortIds ? withShortIds(turns) : turns;
}
