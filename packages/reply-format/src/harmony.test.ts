import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HARMONY, HarmonyReader, harmonyCall, harmonyHeader } from './harmony.ts';

const { call, end, start } = HARMONY;
const NEXT = `${end}${start}assistant`;

interface Read {
  readonly reasoning: string;
  readonly content: string;
  readonly calls: readonly string[];
  /** Text that stands in no message. */
  readonly rest: string;
}

function read(pieces: readonly string[], hasTools = true): Read {
  const texts = { reasoning: '', content: '' };
  const calls: string[] = [];
  const reader = new HarmonyReader(
    {
      text: (channel, text) => (texts[channel] += text),
      call: (name) => calls.push(`${name} `),
      arguments: (text) => calls.push(`${calls.pop() ?? ''}${text}`),
    },
    hasTools,
  );
  for (const piece of pieces) reader.push(piece);
  const rest = reader.end();
  return { ...texts, calls, rest };
}

const nothing: Read = { reasoning: '', content: '', calls: [], rest: '' };

describe('a reply in channels, cut anywhere', () => {
  it.each<[string, string, Partial<Read>, boolean?]>([
    [
      'thinking, then an answer',
      `${harmonyHeader('analysis')}음 <${NEXT}${harmonyHeader('final')}답${HARMONY.return}`,
      { reasoning: '음 <', content: '답' },
    ],
    [
      'several calls',
      `${harmonyCall('a')}{}${call}${start}assistant${harmonyCall('b_2')}{"x":1}${call}`,
      { calls: ['a {}', 'b_2 {"x":1}'] },
    ],
    [
      'a call whose recipient stands before the channel',
      `${start}assistant to=functions.a${harmonyHeader('commentary')}{}${call}`,
      { calls: ['a {}'] },
    ],
    ['a call where there are no tools', `${harmonyCall('a')}{}${call}`, { content: '{}' }, false],
    ['a message to a built-in tool', `<|channel|>commentary to=python<|message|>1+1${call}`, { reasoning: '1+1' }],
    [
      'a channel that begins without an end before it',
      `${harmonyHeader('final')}a${harmonyHeader('analysis')}b`,
      { content: 'a', reasoning: 'b' },
    ],
    ['an answer that is cut within a mark', `${harmonyHeader('final')}답<|e`, { content: '답<|e' }],
    ['a header that is cut', `${harmonyHeader('final')}답${NEXT}<|channel|>fin`, { content: '답' }],
    ['text without channels', '답 <b>', { rest: '답 <b>' }],
  ])('%s', (_name, text, wanted, hasTools = true) => {
    const whole = { ...nothing, ...wanted };
    expect(read([text], hasTools)).toEqual(whole);
    for (let cut = 1; cut < text.length; cut++)
      expect(read([text.slice(0, cut), text.slice(cut)], hasTools)).toEqual(whole);
    expect(read([...text], hasTools)).toEqual(whole);
  });

  it('is read the same whatever it holds', () => {
    const part = fc.constantFrom(
      ...Object.values(HARMONY),
      'analysis',
      'final',
      'assistant',
      ' to=functions.f',
      '답',
      '<|',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.boolean(), (parts, hasTools) => {
        const whole = read([parts.join('')], hasTools);
        expect(read(parts, hasTools)).toEqual(whole);
        expect(read([...parts.join('')], hasTools)).toEqual(whole);
      }),
    );
  });
});
