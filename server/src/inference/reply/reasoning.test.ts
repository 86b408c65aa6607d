import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HARMONY, harmonyCall, harmonyHeader } from '@ai-studio/reply-format/harmony.ts';
import { thinkTags } from '@ai-studio/reply-format/think-tags.ts';
import { fromJsonText, toJsonText } from '../../kernel/json-text.ts';
import type { ReasoningFormat } from '../../models/profile.ts';
import type { ChatEvent } from '../../ports/engine.ts';
import type { SplitOptions } from './split-options.ts';
import { ReasoningMemory } from './reasoning-memory.ts';
import { splitReasoning } from './reasoning.ts';

interface Setting {
  format?: ReasoningFormat;
  expected?: boolean | null;
  memory?: ReasoningMemory;
  reason?: 'stop' | 'length';
  isWhole?: boolean;
  onHeld?: (milliseconds: number) => void;
  stops?: boolean;
  hasTools?: boolean;
}

interface Joined {
  reasoning: string;
  content: string;
  calls: { name: string; arguments: string }[];
  reason: string;
  pieces: number;
}

const controlTokens = ['<|im_end|>', '<|endoftext|>'];

const optionsOf = ({
  format = 'auto',
  expected = true,
  memory = new ReasoningMemory(),
  isWhole = false,
  onHeld = () => undefined,
  stops = false,
  hasTools = true,
}: Setting = {}): SplitOptions => ({
  memoryKey: () => `m ${String(expected)}`,
  memory,
  wish: { expected, byDefault: true, opensInPrompt: () => format === 'open' },
  format,
  isSeparated: () => false,
  isWhole,
  onHeld,
  stops: stops ? ['#'] : [],
  isJson: false,
  hasTools,
  controlTokens,
});

/** What is known of a model that was asked to think. */
const styleOf = (memory: ReasoningMemory) => memory.get('m true')?.style;

function joined(events: readonly ChatEvent[]): Joined {
  const out: Joined = { reasoning: '', content: '', calls: [], reason: '', pieces: 0 };
  for (const event of events) {
    if (event.type === 'text') {
      out[event.channel] += fromJsonText(event.json);
      out.pieces++;
    }
    if (event.type === 'tool_call') out.calls.push({ name: event.name, arguments: '' });
    if (event.type === 'tool_arguments') out.calls.at(-1)!.arguments += fromJsonText(event.json);
    if (event.type === 'finish') out.reason = event.reason;
  }
  return out;
}

const textOf = (text: string): ChatEvent & { type: 'text' } => ({
  type: 'text',
  choice: 0,
  channel: 'content',
  json: toJsonText(text),
});

function listen(setting: Setting = {}) {
  const events: ChatEvent[] = [];
  return { events, ...splitReasoning(optionsOf(setting), (event) => events.push(event)) };
}

function split(pieces: readonly string[], { reason = 'stop', ...setting }: Setting = {}): Joined {
  const { sink, events } = listen(setting);
  for (const piece of pieces) sink(textOf(piece));
  sink({ type: 'finish', choice: 0, reason, stop: null });
  return joined(events);
}

/** The text cut into pieces at the given places. */
const cutAt = (text: string, places: readonly number[]) => {
  const sorted = [...new Set(places.map((p) => p % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...sorted].map((from, i) => text.slice(from, sorted[i] ?? text.length));
};

const harmonyReply =
  '<|channel|>analysis<|message|>생각 중<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"서울"}<|call|>' +
  '<|start|>assistant<|channel|>final<|message|>맑음 <b>☀️</b><|return|>';

describe('thinking and answer', () => {
  const cases: [string, string, Setting, Partial<Joined>][] = [
    [
      'inline tags',
      '<think>\n따져 보자.\n</think>\n\n답은 4 < 5 이다.',
      {},
      { reasoning: '따져 보자.', content: '답은 4 < 5 이다.' },
    ],
    ['empty thinking', '<think>\n\n</think>\n\n안녕', { expected: false }, { reasoning: '', content: '안녕' }],
    ['a missing opening tag', '따져 보자. a<b\n</think>\n\n답', {}, { reasoning: '따져 보자. a<b', content: '답' }],
    [
      'an opening tag that stands in the prompt',
      '생각\n</think>\n답',
      { format: 'open' },
      { reasoning: '생각', content: '답' },
    ],
    [
      'thinking cut by the length',
      '<think>아직 생각',
      { reason: 'length' },
      { reasoning: '아직 생각', content: '', reason: 'length' },
    ],
    ['no thinking at all', '그냥 답', {}, { reasoning: '', content: '그냥 답' }],
    [
      'a tag inside the answer is text',
      'HTML의 <think> 태그와 </thin',
      { expected: false },
      { content: 'HTML의 <think> 태그와 </thin' },
    ],
    ['two rounds of thinking', '<think>하나</think>\n<think>둘</think>답', {}, { reasoning: '하나둘', content: '답' }],
    ['Magistral tags', '[THINK]음[/THINK]답 [1]', {}, { reasoning: '음', content: '답 [1]' }],
    [
      'HyperCLOVA X form',
      '<|im_start|>assistant/think\n음<|im_end|>\n<|im_start|>assistant\n답<|im_end|>',
      {},
      { reasoning: '음', content: '답' },
    ],
    ['a stray closing tag', '</think>답', { expected: false }, { reasoning: '', content: '답' }],
    ['control tokens', '답<|im_end|> 끝 <|endoftext|><|im', { expected: false }, { content: '답 끝 <|im' }],
    [
      'harmony channels',
      harmonyReply,
      {},
      {
        reasoning: '생각 중',
        content: '맑음 <b>☀️</b>',
        calls: [{ name: 'get_weather', arguments: '{"city":"서울"}' }],
        reason: 'tool_calls',
      },
    ],
    [
      'harmony without its control tokens',
      'analysis생각assistantfinal답',
      { format: 'harmony' },
      { reasoning: '생각', content: '답' },
    ],
    ['white space only', ' \n ', { expected: false }, { reasoning: '', content: ' \n ' }],
  ];
  it.each(cases)('%s, cut anywhere', (_name, text, setting, expected) => {
    expect(split([text], { ...setting, isWhole: true })).toMatchObject(expected);
    expect(split([text], { ...setting, memory: new ReasoningMemory() })).toMatchObject(expected);
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 30 }), (places) => {
        expect(split(cutAt(text, places), { ...setting, memory: new ReasoningMemory() })).toMatchObject(expected);
      }),
      { numRuns: 60 },
    );
    expect(split([...text].map(String), { ...setting, memory: new ReasoningMemory() })).toMatchObject(expected);
  });

  it.each(Object.entries(thinkTags))(
    'are told apart by the tags %s, also where the prompt has the opening one',
    (_name, { open, close }) => {
      for (const text of [`${open}생각${close}답`, `생각${close}답`])
        for (const pieces of [[text], [...text]])
          expect(split(pieces)).toMatchObject({ reasoning: '생각', content: '답' });
    },
  );

  it('loses and doubles nothing of an answer, whatever it holds', () => {
    const piece = fc.constantFrom('<', 'think', '>', '</', ' ', '한', '|', '[', 'a', '\n', '<|', 'THINK]', '\u{1f600}');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = `답${pieces.join('')}`;
        expect(split(['답', ...pieces], { expected: null }).content).toBe(text.replaceAll('<|im_end|>', ''));
      }),
    );
  });
});

describe('the finish reason of a reply in channels', () => {
  const call = harmonyCall('f') + `{}${HARMONY.call}`;
  const answer = `${harmonyHeader('final')}답${HARMONY.return}`;

  it.each([
    ['one call', [call], 'stop', 'tool_calls'],
    ['two calls', [call, call], 'stop', 'tool_calls'],
    ['no call', [answer], 'stop', 'stop'],
    ['a call and the limit', [call], 'length', 'length'],
  ] as const)('of %s', (_name, pieces, reason, wanted) => {
    expect(split(pieces, { reason }).reason).toBe(wanted);
  });
});

describe('an engine that was not seen before', () => {
  const open = ['생각', ' 더', '\n</think>', '답', '이다'];

  it('is held back as long as it may think without an opening tag, and streams once its replies are all alike', () => {
    const memory = new ReasoningMemory();
    for (let reply = 0; reply < 3; reply++) {
      expect(split(open, { memory })).toMatchObject({ reasoning: '생각 더', content: '답이다' });
      expect(styleOf(memory)).toBe('open');
    }
    expect(split(open, { memory }).pieces).toBe(4);
  });

  it('streams its answers once they have been answers for a while', () => {
    const memory = new ReasoningMemory();
    const atOnce = () => {
      const { sink, events } = listen({ memory });
      sink(textOf('그냥'));
      const { content } = joined(events);
      sink(textOf(' 답'));
      sink({ type: 'finish', choice: 0, reason: 'stop', stop: null });
      expect(joined(events)).toMatchObject({ content: '그냥 답', pieces: 2 });
      return content;
    };
    expect([atOnce(), atOnce(), atOnce(), atOnce()]).toEqual(['', '', '', '그냥']);
  });

  it('is held back for a while only, once a reply was seen', () => {
    const memory = new ReasoningMemory();
    split(['그냥 답'], { memory });
    const { sink, events } = listen({ memory });
    sink(textOf('가'.repeat(1000)));
    expect(events).toEqual([]);
    sink(textOf('나'.repeat(100)));
    expect(joined(events)).toMatchObject({ content: '가'.repeat(1000) + '나'.repeat(100) });
    sink(textOf('다'));
    expect(joined(events).pieces).toBe(3);
  });
});

describe('what is held back as long as it may be', () => {
  const long = '긴 생각이다. '.repeat(5000);

  it('goes out as thinking where the model is to think, and as an answer, too, where that was wrong', () => {
    const { sink, events } = listen();
    for (const piece of long.match(/[^]{1,100}/g) ?? []) sink(textOf(piece));
    expect(joined(events).reasoning.length).toBeGreaterThan(32_000);
    sink(textOf('</think>답'));
    expect(joined(events)).toMatchObject({ reasoning: long.trim(), content: '답' });
    expect(split(long.match(/[^]{1,100}/g) ?? [])).toMatchObject({ reasoning: long.trimEnd(), content: long });
  });

  it('goes out as an answer where it was told not to', () => {
    const { sink, events } = listen({ expected: false });
    for (const piece of long.match(/[^]{1,100}/g) ?? []) sink(textOf(piece));
    expect(joined(events)).toMatchObject({ reasoning: '' });
    expect(joined(events).content.length).toBeGreaterThan(32_000);
  });

  it('goes out after a time where it is an answer for all that is known, and only there', () => {
    const plain = new ReasoningMemory();
    split(['그냥 답'], { memory: plain });
    const open = new ReasoningMemory();
    split(['음</think>답'], { memory: open });
    for (const [setting, wanted] of [
      [{ memory: plain }, ['답']],
      [{ memory: open }, []],
      [{}, []],
      [{ expected: false }, []],
    ] as const) {
      const waits: number[] = [];
      const { sink, overdue, events } = listen({ ...setting, onHeld: (milliseconds) => waits.push(milliseconds) });
      sink(textOf('답'));
      expect(events).toEqual([]);
      overdue();
      expect(events.map((event) => event.type === 'text' && fromJsonText(event.json))).toEqual(wanted);
      expect(waits).toEqual(wanted.map(() => 1000));
    }
  });

  it('of a whole reply has no limit', () => {
    for (const expected of [true, false, null])
      expect(split([long, '</think>답'], { expected, isWhole: true })).toMatchObject({
        reasoning: long.trim(),
        content: '답',
      });
  });
});

it('passes pieces of an answer on as the very bytes that came', () => {
  const events: ChatEvent[] = [];
  const { sink } = splitReasoning(optionsOf({ expected: null }), (e) => events.push(e));
  const first = { type: 'text', choice: 0, channel: 'content', json: toJsonText('가') } as const;
  const next = { type: 'text', choice: 0, channel: 'content', json: toJsonText('나') } as const;
  sink(first);
  sink(next);
  expect(events[1]).toBe(next);
});

it('leaves a tag at the start of an answer alone where the engine tells thinking in a field', () => {
  const text = '<think>an example</think> of a tag';
  for (const pieces of [[text], [...text]])
    expect(split(pieces, { format: 'field' })).toMatchObject({ content: text, reasoning: '' });
});

it('gives out what it held back of a reply that is cut, and learns nothing from it', () => {
  const events: ChatEvent[] = [];
  const memory = new ReasoningMemory();
  const { sink, cut } = splitReasoning(optionsOf({ expected: true, memory }), (event) => events.push(event));
  for (const piece of ['서울은 ', '한국의 수도', '이다'])
    sink({ type: 'text', choice: 0, channel: 'content', json: toJsonText(piece) });
  expect(events).toEqual([]);
  cut();
  expect(joined(events).content).toBe('서울은 한국의 수도이다');
  expect(styleOf(memory)).toBeUndefined();
});

it('keeps the token probabilities of text that was held back', () => {
  const events: ChatEvent[] = [];
  const { sink } = splitReasoning(optionsOf({ expected: true }), (e) => events.push(e));
  for (const token of ['<th', 'ink>', 'a']) {
    sink({ type: 'text', choice: 0, channel: 'content', json: toJsonText(token), logprobs: { content: [{ token }] } });
  }
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ logprobs: { content: [{ token: '<th' }, { token: 'ink>' }, { token: 'a' }] } });
});

it.each<[string, readonly string[], Setting, Partial<Joined>]>([
  ['behind a stray closing tag', ['</think>답'], { expected: false }, { content: '답' }],
  ['behind thinking', ['<think>생각</think>답'], {}, { reasoning: '생각', content: '답' }],
  ['behind two rounds of it', ['<think>하나</think><think>둘'], {}, { reasoning: '하나둘' }],
  ['of thinking that has no opening tag', ['생각', '</think>답'], {}, { reasoning: '생각', content: '답' }],
  ['before what may become a tag', ['답 <|im'], { expected: null }, { content: '답 ' }],
  [
    'of harmony without its control tokens',
    ['analysis생각assistantfinal답'],
    { format: 'harmony' },
    { reasoning: '생각', content: '답' },
  ],
  ['with white space before it', ['\n\n', '답'], { expected: null }, { content: '\n\n답' }],
])('text %s is given out at once, not at the end', (_name, pieces, setting, expected) => {
  const events: ChatEvent[] = [];
  const { sink } = splitReasoning(optionsOf(setting), (event) => events.push(event));
  for (const piece of pieces) sink({ type: 'text', choice: 0, channel: 'content', json: toJsonText(piece) });
  expect(joined(events)).toMatchObject(expected);
});

describe('what is learned of an engine', () => {
  const learned = (pieces: readonly string[], setting: Setting = {}) => {
    const memory = setting.memory ?? new ReasoningMemory();
    split(pieces, { ...setting, memory });
    return styleOf(memory);
  };
  const after = (...replies: readonly string[]) => {
    const memory = new ReasoningMemory();
    for (const reply of replies) split([reply], { memory });
    return memory;
  };
  const plain = ['답', '답', '답'];
  const open = ['음</think>답', '음</think>답', '음</think>답'];

  it('is where its thinking stands', () => {
    expect(learned(['<think>생각</think>답'])).toBe('tags');
    expect(learned(['생각</think>답'])).toBe('open');
    expect(learned(['그냥 답'])).toBe('plain');
    const memory = new ReasoningMemory();
    listen({ memory }).sink({ ...textOf('생각'), channel: 'reasoning' });
    expect(styleOf(memory)).toBe('field');
  });

  it('is nothing from a reply that was cut, or that may have ended within its thinking', () => {
    expect(learned(['그냥 답'], { reason: 'length' })).toBeUndefined();
    expect(learned(['그냥 답'], { stops: true })).toBeUndefined();
  });

  it('is forgotten by the first reply that looks otherwise, however many there were before', () => {
    expect(learned(['음', '</think>', '답'], { memory: after(...plain, ...plain) })).toBeUndefined();
    expect(learned(['답'], { memory: after(...open) })).toBe('plain');
    expect(learned(['<think>음</think>답'], { memory: after(...open) })).toBe('tags');
    expect(learned(['음</think>답'], { memory: after('답') })).toBe('open');
  });

  it('holds for requests of its own kind', () => {
    const memory = after(...plain);
    expect(split(['음</think>', '답'], { memory, expected: false })).toMatchObject({ reasoning: '음', content: '답' });
    expect(styleOf(memory)).toBe('plain');
  });

  it('shows in the midst of an answer of a model that was not to think, too', () => {
    for (const expected of [false, null]) {
      const memory = new ReasoningMemory();
      for (let reply = 0; reply < 3; reply++) split(['답'], { memory, expected });
      split(['음', '</think>답'], { memory, expected });
      expect(split(['음', '</think>답'], { memory, expected })).toMatchObject({ reasoning: '음', content: '답' });
    }
  });

  it('is not shaken by an answer that speaks of the tags', () => {
    const memory = after(...plain);
    expect(learned(['`<think>` and ', '`</think>`', ' <think>x</think>'], { memory })).toBe('plain');
  });

  it('does not keep a stream from giving out an answer that was taken for thinking', () => {
    const memory = after(...open);
    expect(split(['그냥', ' 답'], { memory })).toMatchObject({ reasoning: '그냥 답', content: '그냥 답' });
    expect(split(['그냥', ' 답'], { memory })).toMatchObject({ reasoning: '', content: '그냥 답' });
  });
});
