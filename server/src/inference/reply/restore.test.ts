import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { covers } from '../../../test/requirements.ts';
import { fromJsonText, toJsonText } from '../../kernel/json-text.ts';
import type { ChatEvent } from '../../ports/engine.ts';
import { type Restore, restoreReply } from './restore.ts';

/** Puts `"V"` in the place of `<v>`, and holds back what may become it. */
const restore = (jsonAnswer = false): Restore => ({
  jsonAnswer,
  open(written) {
    let held = '';
    const value = written === 'json' ? '\\"V\\"' : '"V"';
    return {
      push(piece) {
        const text = held + piece;
        const tail = ['<v', '<'].find((one) => text.endsWith(one)) ?? '';
        held = tail;
        return text.slice(0, text.length - tail.length).replaceAll('<v>', value);
      },
      end() {
        const last = held;
        held = '';
        return last;
      },
      leaves: (json) => held === '' && !/[<\\]/.test(json),
    };
  },
});

const text = (json: string, channel: 'content' | 'reasoning' = 'content', choice = 0): ChatEvent => ({
  type: 'text',
  choice,
  channel,
  json: toJsonText(json),
});
const finish = (choice = 0, stop: string | null = null): ChatEvent => ({
  type: 'finish',
  choice,
  reason: 'stop',
  stop,
});
const end: ChatEvent = { type: 'end', systemFingerprint: null };

function run(events: readonly ChatEvent[], how = restore()) {
  const out: ChatEvent[] = [];
  const { sink, flush } = restoreReply(how, (event) => void out.push(event));
  for (const event of events) sink(event);
  return { out, flush };
}
const said = (events: readonly ChatEvent[]) =>
  events.map((event) => {
    if (event.type === 'text') return `${event.choice} ${event.channel} ${fromJsonText(event.json)}`;
    if (event.type === 'tool_arguments') return `${event.choice} call ${event.call} ${fromJsonText(event.json)}`;
    return event.type === 'finish' ? `${event.choice} finish ${event.stop}` : event.type;
  });

describe('a reply with values in place of tokens', () => {
  it('gives out what was held back before the end of its choice', () => {
    expect(said(run([text('a<'), text('b<', 'content', 1), finish(1), finish(0), end]).out)).toEqual([
      '0 content a',
      '1 content b',
      '1 content <',
      '1 finish null',
      '0 content <',
      '0 finish null',
      'end',
    ]);
  });

  it('restores each text by itself: answers, thinking, arguments, stop strings', () => {
    covers('guard.tools');
    const call = (choice: number, index: number, json: string): ChatEvent => ({
      type: 'tool_arguments',
      choice,
      call: index,
      json: toJsonText(json),
    });
    const { out } = run([
      text('<', 'reasoning'),
      text('<'),
      call(0, 0, '{"a":"<'),
      call(0, 1, '<'),
      text('v>', 'reasoning'),
      call(0, 0, 'v>"}'),
      call(0, 1, 'v>'),
      text('v>'),
      finish(0, '<v>'),
      end,
    ]);
    expect(said(out)).toEqual([
      '0 call 0 {"a":"',
      '0 reasoning "V"',
      String.raw`0 call 0 \"V\""}`,
      String.raw`0 call 1 \"V\"`,
      '0 content "V"',
      '0 finish "V"',
      'end',
    ]);
    expect(said(run([text('{"a":"<v>"}'), finish()], restore(true)).out)[0]).toBe(String.raw`0 content {"a":"\"V\""}`);
  });

  it('gives out the rest of a reply that is stopped, and tells nothing of log-probabilities', () => {
    const { out, flush } = run([{ ...text('x<v'), logprobs: { content: [] } } as ChatEvent]);
    flush();
    flush();
    expect(said(out)).toEqual(['0 content x', '0 content <v']);
    for (const event of out) expect(event).not.toHaveProperty('logprobs');
  });

  it('is the same however the engine cuts it', () => {
    covers('guard.stream');
    const whole = '<v>안녕 <<v> "quoted" \\ 😀<v';
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 10 }), (cuts) => {
        const places = [0, ...cuts, whole.length].toSorted((a, b) => a - b);
        const pieces = places.slice(1).map((place, at) => whole.slice(places[at], place));
        const { out } = run([...pieces.map((piece) => text(piece)), finish()]);
        const joined = out.map((event) => (event.type === 'text' ? event.json : '')).join('');
        expect(JSON.parse(`"${Buffer.from(joined, 'latin1').toString('utf8')}"`)).toBe(whole.replaceAll('<v>', '"V"'));
      }),
    );
  });
});
