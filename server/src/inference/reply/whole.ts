import type { ChatEvent, EngineUsage } from '../../ports/engine.ts';
import { type ReplyShape, jsonBytes, usageBytes } from './shape.ts';

interface Call {
  readonly id: string;
  readonly name: string;
  json: string;
}

/** One choice, as far as it has come. Texts are JSON string bodies. */
class Choice {
  content = '';
  reasoning = '';
  calls: Call[] | null = null;
  logprobs: Record<string, unknown> | null = null;
  reason = 'stop';
  stop: string | null = null;

  addLogprobs(more: Record<string, unknown>): void {
    const before = this.logprobs?.['content'];
    const after = more['content'];
    this.logprobs =
      Array.isArray(before) && Array.isArray(after)
        ? { ...this.logprobs, content: [...(before as unknown[]), ...(after as unknown[])] }
        : more;
  }

  render(index: number, shape: ReplyShape): string {
    // An answer of no tokens has none of their log-probabilities; null says that there are none to be had.
    const none = shape.logprobs && this.content === '' && this.reasoning === '' && this.calls === null;
    const logprobs = this.logprobs !== null ? jsonBytes(this.logprobs) : none ? '{"content":[]}' : 'null';
    const stop = this.stop === null ? 'null' : jsonBytes(this.stop);
    return `{"index":${index},"message":${this.#message(shape)},"logprobs":${logprobs},"finish_reason":"${this.reason}","stop_reason":${stop}}`;
  }

  #message({ reasoningKeys, reasoningNullKeys }: ReplyShape): string {
    const { calls, reasoning } = this;
    // Without an answer (only calls, or cut while thinking) there is no content, as in vLLM's replies.
    const silent = this.content === '' && (calls !== null || reasoning !== '');
    let text = `{"role":"assistant","content":${silent ? 'null' : `"${this.content}"`},`;
    for (const key of reasoningNullKeys)
      text += reasoning === '' || !reasoningKeys.includes(key) ? `"${key}":null,` : `"${key}":"${reasoning}",`;
    return `${text}"tool_calls":[${calls === null ? '' : calls.map(renderCall).join(',')}]}`;
  }
}

const renderCall = ({ id, name, json }: Call): string =>
  `{"id":${jsonBytes(id)},"type":"function","function":{"name":${jsonBytes(name)},"arguments":"${json === '' ? '{}' : json}"}}`;

/**
 * Collects events into a whole reply with exactly the keys of interface 2.3, nulls included, as latin1 text of its
 * JSON bytes.
 */
export class WholeReply {
  readonly #shape: ReplyShape;
  readonly #choices: Choice[] = [];
  #systemFingerprint: string | null = null;
  #promptLogprobs: unknown = null;

  constructor(shape: ReplyShape) {
    this.#shape = shape;
    for (let i = 0; i < shape.choices; i++) this.#choices.push(new Choice());
  }

  event(event: ChatEvent): void {
    if (event.type === 'end') {
      this.#systemFingerprint = event.systemFingerprint;
      this.#promptLogprobs = event.promptLogprobs ?? null;
      return;
    }
    if (event.type === 'usage' || event.type === 'error') return;
    const choice = this.#choices[event.choice];
    if (!choice) return;
    switch (event.type) {
      case 'text':
        if (event.channel === 'content') choice.content += event.json;
        else choice.reasoning += event.json;
        if (event.logprobs) choice.addLogprobs(event.logprobs);
        return;
      case 'tool_call':
        (choice.calls ??= [])[event.call] = { id: event.id, name: event.name, json: '' };
        return;
      case 'tool_arguments': {
        const call = choice.calls?.[event.call];
        if (call) call.json += event.json;
        return;
      }
      case 'finish':
        choice.reason = event.reason;
        choice.stop = event.stop;
    }
  }

  /** The reply's JSON. */
  render(usage: EngineUsage): string {
    const { id, created, modelJson } = this.#shape;
    let choices = '';
    for (const [index, choice] of this.#choices.entries())
      choices += (index === 0 ? '' : ',') + choice.render(index, this.#shape);
    const promptLogprobs = this.#promptLogprobs === null ? 'null' : jsonBytes(this.#promptLogprobs);
    const fingerprint = this.#systemFingerprint === null ? 'null' : jsonBytes(this.#systemFingerprint);
    return (
      `{"id":"${id}","object":"chat.completion","created":${created},"model":${modelJson},` +
      `"choices":[${choices}],"usage":${usageBytes(usage)},"prompt_logprobs":${promptLogprobs},` +
      `"service_tier":null,"system_fingerprint":${fingerprint},"kv_transfer_params":null}`
    );
  }
}
