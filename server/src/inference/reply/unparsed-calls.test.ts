import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromJsonText, toJsonText } from '../../kernel/json-text.ts';
import type { ChatEvent } from '../../ports/engine.ts';
import { findUnparsedCalls } from './unparsed-calls.ts';

const tools = [{ function: { name: 'now', parameters: {} } }];
const call = '<tool_call>\n{"name": "now", "arguments": {"a": "가"}}\n</tool_call>';

const textOf = (text: string, more: object = {}): ChatEvent => ({
  type: 'text',
  choice: 0,
  channel: 'content',
  json: toJsonText(text),
  ...more,
});
const finish: ChatEvent & { type: 'finish' } = { type: 'finish', choice: 0, reason: 'stop', stop: null };

function find(events: readonly ChatEvent[], isSeparated = false): ChatEvent[] {
  const out: ChatEvent[] = [];
  const { sink } = findUnparsedCalls({ tools: () => tools, isSeparated: () => isSeparated }, (event) =>
    out.push(event),
  );
  events.forEach(sink);
  return out;
}

function joined(events: readonly ChatEvent[]) {
  let content = '';
  const calls: string[] = [];
  let reason = '';
  for (const event of events) {
    if (event.type === 'text' && event.channel === 'content') content += fromJsonText(event.json);
    else if (event.type === 'tool_call') calls[event.call] = `${event.name} `;
    else if (event.type === 'tool_arguments') calls[event.call] += fromJsonText(event.json);
    else if (event.type === 'finish') reason = event.reason;
  }
  return { content, calls, reason };
}

describe('an answer of an engine that did not parse its calls', () => {
  it('has them as calls, and ends for their sake', () => {
    const wanted = { content: '네.', calls: ['now {"a": "가"}', 'now {"a": "가"}'], reason: 'tool_calls' };
    const text = `네.\n${call}\n${call}`;
    expect(joined(find([textOf(text), finish]))).toEqual(wanted);
    expect(joined(find([...[...text].map((piece) => textOf(piece)), finish]))).toEqual(wanted);
    expect(joined(find([textOf(text), { ...finish, reason: 'length' }])).reason).toBe('length');
  });

  it('has ids of its own for them', () => {
    const ids = find([textOf(call), finish]).flatMap((event) => (event.type === 'tool_call' ? [event.id] : []));
    expect(ids).toEqual([expect.stringMatching(/^call_[0-9a-f]{24}$/)]);
  });

  it('comes to the same however it is cut, also where it is long', () => {
    const long = 'tool 이야기 [1] <b>-> a</b>\n'.repeat(60);
    for (const text of [`${long}${call}`, `${'긴 답이다. '.repeat(200)}\n${call}`, long]) {
      const whole = joined(find([textOf(text), finish]));
      expect(whole.calls).toHaveLength(text === long ? 0 : 1);
      fc.assert(
        fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (places) => {
          const at = [0, ...places.toSorted((a, b) => a - b), text.length];
          const pieces = at.slice(1).map((to, i) => textOf(text.slice(at[i], to)));
          expect(joined(find([...pieces, finish]))).toEqual(whole);
        }),
        { numRuns: 100 },
      );
    }
  });

  it('goes on as the very pieces that came where they hold no mark', () => {
    const events = ['안녕', '하세요', ' 여러분', '.', 'x'.repeat(2000)].map((text) => textOf(text));
    for (const [i, event] of find(events).entries()) expect(event).toBe(events[i]);
  });

  it('keeps the token probabilities of text that was looked at', () => {
    const logprobs = (token: string) => ({ logprobs: { content: [{ token }] } });
    const [first] = find([textOf('<', logprobs('<')), textOf('b>', logprobs('b>'))]);
    expect(first).toMatchObject({ logprobs: { content: [{ token: '<' }, { token: 'b>' }] } });
  });

  it('leaves thinking alone', () => {
    const thought = textOf(call, { channel: 'reasoning' });
    expect(find([thought, textOf('답'), finish])).toEqual([thought, textOf('답'), finish]);
  });
});

describe('an engine that parses its calls', () => {
  const parsed: ChatEvent[] = [
    { type: 'tool_call', choice: 0, call: 0, id: 'c', name: 'now' },
    { type: 'tool_arguments', choice: 0, call: 0, json: toJsonText('{}') },
  ];

  it('is believed, and what follows is text', () => {
    expect(joined(find([textOf('네 '), ...parsed, textOf(call), finish]))).toEqual({
      content: `네 ${call}`,
      calls: ['now {}'],
      reason: 'stop',
    });
  });

  it('has its calls numbered after those that were found before', () => {
    expect(joined(find([textOf(call), ...parsed, finish])).calls).toEqual(['now {"a": "가"}', 'now {}']);
  });

  it('of its own keeps its text', () => {
    expect(joined(find([textOf(call), finish], true))).toMatchObject({ content: call, calls: [] });
  });
});
