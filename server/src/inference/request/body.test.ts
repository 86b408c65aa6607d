import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reasoningKeys } from '@ai-studio/contract/chat/reasoning-keys.ts';
import { AssistantMessage, type ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { bytesOfBody } from '../../../test/support/encoded-body.ts';
import type { EncodedBody } from '../../ports/engine.ts';
import { createChatBody } from './body.ts';
import { scanObject } from '../../kernel/json-scan.ts';

const body = (text: string, edits: Record<string, unknown> = {}, system: string[] = []) => {
  const bytes = Buffer.from(text);
  const latin1 = bytes.toString('latin1');
  return createChatBody({ bytes, latin1, view: JSON.parse(latin1) as ChatRequest, edits, system });
};
const messages = [{ role: 'user', content: '안녕 "친구" \\ 👋' }];
const textOf = (sent: EncodedBody) => bytesOfBody(sent).toString('utf8');
const parse = (sent: EncodedBody) => JSON.parse(textOf(sent)) as Record<string, unknown>;

describe('scanObject', () => {
  it('finds the members of any object as JSON.parse sees them', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const found = scanObject(text).members.map((m) => [m.key, JSON.parse(text.slice(m.valueStart, m.end))]);
        expect(found).toEqual(Object.entries(JSON.parse(text) as object));
      }),
    );
  });

  it('finds the same where some of the keys are known, in whatever order', () => {
    const key = fc.oneof(
      fc.constantFrom('model', 'mode', 'models', '1', '', '__proto__', 'a":1,"b', '\\'),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, fc.jsonValue())),
        fc.array(fc.stringMatching(/^[a-z0-9]{0,6}$/)),
        (pairs, others) => {
          const text = `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
          const expected = scanObject(text);
          const plain = pairs.map(([name]) => name).filter((name) => /^\w*$/.test(name));
          for (const names of [plain, plain.toReversed(), [...plain, 'more'], others])
            expect(scanObject(text, names)).toEqual(expected);
        },
      ),
    );
  });

  it('sees a key written twice, also when one is escaped', () => {
    expect(scanObject('{"model":"a","mode\\u006c":"b"}').duplicates).toBe(true);
    expect(scanObject('{"model":"a","messages":[{"model":"b"}]}').duplicates).toBe(false);
  });

  it.each([3, 24, 25, 200])('sees a key written twice among %i', (count) => {
    const members = Array.from({ length: count }, (_, i) => `"key${i}":${i}`);
    expect(scanObject(`{${members.join()}}`).duplicates).toBe(false);
    expect(scanObject(`{${[...members.slice(1), members[1]].join()}}`).duplicates).toBe(true);
  });
});

describe('the body for engines', () => {
  it.each(['{"messages":[],"modèle":1,"model":"a"}', '{"mod\\u0065l":"a","messages":[],"x":{}}'])(
    'finds its fields by whatever else it has: %s',
    (text) => {
      expect(parse(body(text).encode({ user: 'u' }))).toEqual({ messages: [], model: 'a', user: 'u' });
    },
  );

  it("keeps the client's own bytes of what is not edited", () => {
    const said = `[ {"role" : "assistant", "content":"b"} ]`;
    expect(textOf(body(`{"messages":${said}}`).encode({}))).toContain(said);
    const text = `{ "messages" : ${JSON.stringify(messages)} , "model":"CORE-GOV", "temperature": 1.0 }`;
    const sent = textOf(body(text).encode({ model: 'served' }));
    expect(sent).toContain(`"messages" : ${JSON.stringify(messages)}`);
    expect(sent).toContain('"temperature": 1.0');
    expect(JSON.parse(sent)).toEqual({ messages, temperature: 1, model: 'served' });
  });

  it('is the parsed request with the edits, whatever the order and the text', () => {
    const fields = fc.record(
      {
        temperature: fc.double({ min: 0, max: 2, noNaN: true }),
        stop: fc.array(fc.string()),
        user: fc.string({ unit: 'grapheme' }),
        seed: fc.integer(),
      },
      { requiredKeys: [] },
    );
    const edits = fc.record(
      { model: fc.string(), stop: fc.option(fc.string(), { nil: undefined }), added: fc.jsonValue() },
      { requiredKeys: ['model'] },
    );
    fc.assert(
      fc.property(fields, edits, fc.boolean(), fc.boolean(), (given, change, messagesFirst, large) => {
        const own = large ? { ...given, user: '큰 '.repeat(5_000) } : given;
        const sent = messagesFirst ? { messages, ...own, model: 'x' } : { ...own, model: 'x', messages };
        const expected: Record<string, unknown> = { ...sent, ...change };
        for (const key of Object.keys(expected)) if (expected[key] === undefined) delete expected[key];
        expect(parse(body(JSON.stringify(sent)).encode(change))).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });

  it('leaves out fields that are not of the interface, and those that engines are told otherwise', () => {
    const sent = {
      messages,
      kv_transfer_params: { a: 1 },
      chat_template: 'x',
      metadata: {},
      reasoning_effort: 'low',
      max_completion_tokens: 5,
    };
    expect(parse(body(JSON.stringify(sent)).encode({}))).toEqual({ messages });
  });

  it('writes a body with a doubled key anew, so that every reader takes the same value', () => {
    const sent = body(`{"temperature":2,"messages":${JSON.stringify(messages)},"temperature":0}`).encode({
      model: 'm',
    });
    expect(textOf(sent).match(/"temperature"/g)).toHaveLength(1);
    expect(parse(sent)).toEqual({ temperature: 0, messages, model: 'm' });
  });

  it('drops earlier thinking and empty tool_calls, and says system for developer', () => {
    const history = [
      { role: 'developer', content: '한국어로' },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', reasoning_content: '비밀', reasoning: '비밀', tool_calls: [] },
      { role: 'user', content: 'c' },
    ];
    const sent = body(JSON.stringify({ messages: history })).encode({});
    expect(textOf(sent)).not.toContain('비밀');
    expect(parse(sent)['messages']).toEqual([
      { role: 'system', content: '한국어로' },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
    ]);
  });

  it.each(reasoningKeys)('drops earlier thinking under %s alone', (key) => {
    const earlier = { role: 'assistant', content: 'b' };
    const sent = body(JSON.stringify({ messages: [...messages, { ...earlier, [key]: '비밀' }] })).encode({});
    expect(parse(sent)['messages']).toEqual([...messages, earlier]);
    expect(AssistantMessage.safeParse({ ...earlier, [key]: 7 }).success).toBe(false);
  });

  it('joins a line of the profile to the system message', () => {
    const first = body(JSON.stringify({ messages }), {}, ['/think']).encode({});
    expect(parse(first)['messages']).toEqual([{ role: 'system', content: '/think' }, ...messages]);
    const own = [{ role: 'system', content: '간단히' }, ...messages];
    const joined = body(JSON.stringify({ messages: own }), {}, ['/think']).encode({});
    expect(parse(joined)['messages']).toEqual([{ role: 'system', content: '간단히\n\n/think' }, ...messages]);
  });

  it('says what an engine would find in it under a name, without being written', () => {
    const given = { messages, temperature: 1, seed: null, reasoning_effort: 'low', user: 'ada' };
    const planned = body(JSON.stringify(given), { user: 'eve', stop: undefined });
    const fields = ['temperature', 'seed', 'reasoning_effort', 'user', 'stop', 'top_p'];
    expect(fields.map((field) => planned.peek(field))).toEqual([1, undefined, undefined, 'eve', undefined, undefined]);
  });
});
