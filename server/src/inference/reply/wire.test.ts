import { describe, expect, it } from 'vitest';
import { ChatChunk } from '@ai-studio/contract/chat/chunk.ts';
import { ChatReply } from '@ai-studio/contract/chat/reply.ts';
import { reasoningKeys } from '@ai-studio/contract/chat/reasoning-keys.ts';
import { toJsonText } from '../../kernel/json-text.ts';
import type { ChatEvent, EngineUsage } from '../../ports/engine.ts';
import { type ReplyShape, jsonBytes } from './shape.ts';
import { cutAtStops } from './stop.ts';
import { createStreamWriter } from './stream.ts';
import { WholeReply } from './whole.ts';

const shape: ReplyShape = {
  id: 'chatcmpl-1',
  created: 1,
  modelJson: jsonBytes('모델'),
  choices: 1,
  reasoningKeys: ['reasoning_content'],
  reasoningNullKeys: ['reasoning_content'],
  toolStream: 'openai',
  includeUsage: false,
  logprobs: false,
};
const usage: EngineUsage = { promptTokens: 3, completionTokens: 4, reasoningTokens: 2, promptTokensDetails: null };
const text = (content: string, channel: 'content' | 'reasoning' = 'content', choice = 0): ChatEvent => ({
  type: 'text',
  choice,
  channel,
  json: toJsonText(content),
});
const finish = (reason: 'stop' | 'length' | 'tool_calls' = 'stop', stop: string | null = null): ChatEvent => ({
  type: 'finish',
  choice: 0,
  reason,
  stop,
});
const call: ChatEvent = { type: 'tool_call', choice: 0, call: 0, id: 'c1', name: 'f' };

const utf8 = (latin1: string) => Buffer.from(latin1, 'latin1').toString('utf8');
function stream(events: readonly ChatEvent[], change: Partial<ReplyShape> = {}) {
  const writer = createStreamWriter({ ...shape, ...change });
  let bytes = writer.open();
  for (const event of events) bytes += writer.event(event);
  const all = utf8(bytes + writer.close(usage));
  const data = all
    .split('\n\n')
    .filter(Boolean)
    .map((line) => line.replace(/^data: /, ''));
  expect(data.pop()).toBe('[DONE]');
  return data.map((line) => ChatChunk.parse(JSON.parse(line)));
}
function whole(events: readonly ChatEvent[], change: Partial<ReplyShape> = {}) {
  const reply = new WholeReply({ ...shape, ...change });
  for (const event of events) reply.event(event);
  return JSON.parse(utf8(reply.render(usage))) as ChatReply;
}

describe('a stream', () => {
  it('opens with the role, carries thinking before the answer, ends with finish_reason and stop_reason', () => {
    const chunks = stream([text('음', 'reasoning'), text('"답"\n'), finish('stop', '끝')]);
    expect(chunks.map((c) => c.choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: '음' },
      { content: '"답"\n' },
      {},
    ]);
    expect(chunks.map((c) => c.choices[0]?.finish_reason)).toEqual([null, null, null, 'stop']);
    expect(chunks.at(-1)?.choices[0]).toMatchObject({ stop_reason: '끝' });
    expect(chunks[1]?.choices[0]).not.toHaveProperty('stop_reason');
    expect(new Set(chunks.map((c) => `${c.id} ${c.created} ${c.model} ${c.object}`))).toEqual(
      new Set(['chatcmpl-1 1 모델 chat.completion.chunk']),
    );
  });

  it('says thinking under each key of the model, or under none', () => {
    const both = stream([text('음', 'reasoning')], { reasoningKeys: ['reasoning', 'reasoning_content'] });
    expect(both[1]?.choices[0]?.delta).toEqual({ reasoning: '음', reasoning_content: '음' });
    expect(stream([text('음', 'reasoning'), text('답')], { reasoningKeys: [] })).toHaveLength(2);
  });

  it.each(reasoningKeys)('and a whole reply say thinking under %s, as the contract has it', (key) => {
    const events = [text('음', 'reasoning'), finish()];
    const change = { reasoningKeys: [key], reasoningNullKeys: [key] };
    expect(stream(events, change)[1]?.choices[0]?.delta).toEqual({ [key]: '음' });
    expect(ChatReply.parse(whole(events, change)).choices[0]?.message).toMatchObject({ [key]: '음' });
  });

  it('opens a tool call with id and name, or sends arguments alone', () => {
    const events = [
      call,
      { type: 'tool_arguments', choice: 0, call: 0, json: toJsonText('{"a":1}') } as const,
      finish('tool_calls'),
    ];
    expect(stream(events).map((c) => c.choices[0]?.delta.tool_calls?.[0])).toEqual([
      undefined,
      { index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: '{"a":1}' } },
      undefined,
    ]);
    expect(stream(events, { toolStream: 'arguments' }).map((c) => c.choices[0]?.delta.tool_calls?.[0])).toEqual([
      undefined,
      { index: 0, function: { arguments: '{"a":1}' } },
      undefined,
    ]);
  });

  it('gives each call of each choice that has no arguments an empty object at the end of that choice, once', () => {
    const at = (choice: number, index: number): ChatEvent => ({
      type: 'tool_call',
      choice,
      call: index,
      id: `c${choice}${index}`,
      name: 'f',
    });
    const events: ChatEvent[] = [
      at(0, 0),
      at(0, 1),
      at(1, 0),
      { type: 'tool_arguments', choice: 0, call: 1, json: toJsonText('') },
      { type: 'tool_arguments', choice: 0, call: 0, json: toJsonText('{"a":1}') },
      finish('tool_calls'),
      { type: 'finish', choice: 1, reason: 'tool_calls', stop: null },
    ];
    const seen = stream(events, { toolStream: 'arguments', choices: 2 }).map(({ choices: [choice] }) => {
      const given = choice?.delta.tool_calls?.[0];
      return [choice?.index, given ? `${given.index} ${given.function?.arguments}` : choice?.finish_reason];
    });
    expect(seen).toEqual([
      [0, null],
      [1, null],
      [0, '0 {"a":1}'],
      [0, '1 {}'],
      [0, 'tool_calls'],
      [1, '0 {}'],
      [1, 'tool_calls'],
    ]);
  });

  it('carries the log-probabilities of a piece, under whichever keys it is said', () => {
    const logprobs = { content: [{ token: '음' }] };
    const events: ChatEvent[] = [{ ...text('음'), logprobs } as ChatEvent, text('끝')];
    expect(stream(events).map(({ choices }) => choices[0]?.logprobs)).toEqual([null, logprobs, null]);
    const thought = stream([{ ...text('음', 'reasoning'), logprobs } as ChatEvent], {
      reasoningKeys: ['reasoning', 'reasoning_content'],
    });
    expect(thought[1]?.choices[0]).toMatchObject({
      delta: { reasoning: '음', reasoning_content: '음' },
      logprobs,
    });
  });

  it('says nothing of usage where nobody asked, nor of events that are none of its own', () => {
    const chunks = stream([text('a'), { type: 'usage', usage }, { type: 'end', systemFingerprint: 'x' }, finish()]);
    expect(chunks.map(({ choices, usage: told }) => [choices.length, told])).toEqual([
      [1, undefined],
      [1, undefined],
      [1, undefined],
    ]);
  });

  it('gives a call without arguments an empty object', () => {
    expect(stream([call, finish('tool_calls')], { toolStream: 'arguments' })[1]?.choices[0]?.delta.tool_calls).toEqual([
      { index: 0, function: { arguments: '{}' } },
    ]);
  });

  it('ends with a usage chunk when asked, and has several choices', () => {
    const chunks = stream([text('a'), text('b', 'content', 1), finish()], { includeUsage: true, choices: 2 });
    expect(chunks.slice(0, 2).map((c) => c.choices[0]?.index)).toEqual([0, 1]);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 3,
        completion_tokens: 4,
        total_tokens: 7,
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    });
  });
});

describe('a whole reply', () => {
  it('lists the log-probabilities of no tokens where an answer that asked for them has none', () => {
    const [asked] = whole([finish()], { logprobs: true }).choices;
    expect(asked).toMatchObject({ message: { content: '' }, logprobs: { content: [] } });
    expect(whole([finish()]).choices[0]?.logprobs).toBeNull();
    // An engine that gives none.
    expect(whole([text('a'), finish()], { logprobs: true }).choices[0]?.logprobs).toBeNull();
  });

  it('has exactly the keys of the interface, nulls included', () => {
    const reply = whole([text('답'), finish(), { type: 'end', systemFingerprint: 'builtin' }]);
    ChatReply.parse(reply);
    expect(Object.keys(reply)).toEqual([
      'id',
      'object',
      'created',
      'model',
      'choices',
      'usage',
      'prompt_logprobs',
      'service_tier',
      'system_fingerprint',
      'kv_transfer_params',
    ]);
    expect(reply.choices[0]).toEqual({
      index: 0,
      message: { role: 'assistant', content: '답', reasoning_content: null, tool_calls: [] },
      logprobs: null,
      finish_reason: 'stop',
      stop_reason: null,
    });
    expect(reply).toMatchObject({
      prompt_logprobs: null,
      service_tier: null,
      system_fingerprint: 'builtin',
      kv_transfer_params: null,
      usage: { prompt_tokens_details: null },
    });
  });

  it('has null content with only tool calls, and when it was cut while thinking', () => {
    expect(whole([call, finish('tool_calls')]).choices[0]?.message).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    });
    expect(whole([text('음', 'reasoning'), finish('length')]).choices[0]).toMatchObject({
      message: { content: null, reasoning_content: '음' },
      finish_reason: 'length',
    });
  });

  it('keeps thinking back from a model that was told not to think', () => {
    expect(whole([text('음', 'reasoning'), text('답')], { reasoningKeys: [] }).choices[0]?.message).toMatchObject({
      reasoning_content: null,
      content: '답',
    });
  });
});

describe('stop strings', () => {
  const cut = (pieces: readonly string[], stops: readonly string[]) => {
    const out: ChatEvent[] = [];
    let all = false;
    const sink = cutAtStops(
      stops,
      1,
      () => (all = true),
      (event) => out.push(event),
    );
    for (const piece of pieces) sink(text(piece));
    sink(finish('length'));
    const reply = whole(out).choices[0];
    return { content: reply?.message.content, stop: reply?.stop_reason, reason: reply?.finish_reason, all };
  };
  it('end a reply before them wherever they are cut, and are named', () => {
    for (const pieces of [['하나 끝END 더'], ['하나 끝E', 'ND', ' 더'], [...'하나 끝END 더']]) {
      expect(cut(pieces, ['없음', 'END'])).toEqual({ content: '하나 끝', stop: 'END', reason: 'stop', all: true });
    }
  });
  it('that only begin are given out', () => {
    expect(cut(['EN', 'E', 'N'], ['END'])).toEqual({ content: 'ENEN', stop: null, reason: 'length', all: false });
  });
});
