/** A function call that the model made, or the answer of one. */
interface SentToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message as it is sent. */
export type SentMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly SentToolCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** What a pane asks its model with. Null: left to the service. Ranges: interface section 2.2. */
export interface Settings {
  readonly model: string;
  readonly systemPrompt: string;
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly maxTokens: number | null;
  readonly frequencyPenalty: number | null;
  readonly presencePenalty: number | null;
  readonly seed: number | null;
  readonly stop: readonly string[];
  readonly json: boolean;
  /** JSON text of the list of tools; empty for none. */
  readonly tools: string;
  /** Keys of chat_template_kwargs. */
  readonly templateKeys: Readonly<Record<string, unknown>>;
}

export const standardSettings = (model: string): Settings => ({
  model,
  systemPrompt: '',
  temperature: null,
  topP: null,
  maxTokens: null,
  frequencyPenalty: null,
  presencePenalty: null,
  seed: null,
  stop: [],
  json: false,
  tools: '',
  templateKeys: {},
});

/** Tools as they are sent, or why the text holds none. */
export function parseTools(text: string): { readonly tools: readonly unknown[] } | { readonly fault: 'json' | 'list' } {
  if (text.trim() === '') return { tools: [] };
  try {
    const tools: unknown = JSON.parse(text);
    return Array.isArray(tools) ? { tools } : { fault: 'list' };
  } catch {
    return { fault: 'json' };
  }
}

const definedOnly = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** The body of a chat completion: only what was set, so that the code that is shown says no more than is meant. */
export function requestBody(settings: Settings, messages: readonly SentMessage[]): Readonly<Record<string, unknown>> {
  const { systemPrompt, stop, templateKeys } = settings;
  const parsed = parseTools(settings.tools);
  const tools = 'tools' in parsed && parsed.tools.length > 0 ? parsed.tools : null;
  const system = systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }];
  return definedOnly({
    model: settings.model,
    messages: [...system, ...messages],
    temperature: settings.temperature,
    top_p: settings.topP,
    max_tokens: settings.maxTokens,
    frequency_penalty: settings.frequencyPenalty,
    presence_penalty: settings.presencePenalty,
    seed: settings.seed,
    stop: stop.length > 0 ? stop : null,
    response_format: settings.json ? { type: 'json_object' } : null,
    tools,
    chat_template_kwargs: Object.keys(templateKeys).length > 0 ? templateKeys : null,
  });
}
