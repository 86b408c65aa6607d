import { describe, expect, it, test } from 'vitest';
import { fromJsonText, toJsonText } from '../../kernel/json-text.ts';
import type { ReasoningFormat } from '../../models/profile.ts';
import type { ChatEvent } from '../../ports/engine.ts';
import type { SplitOptions } from './split-options.ts';
import { ReasoningMemory, type ReasoningStyle } from './reasoning-memory.ts';
import { splitReasoning } from './reasoning.ts';

const thinking = '"2+2"는 `4`다. a<b\n\n확인했다.';
const answer = '답은 <b>4</b>입니다. [1]\n끝';

/** What a model writes, by its family: made of the forms that the published chat templates have, not recorded. */
const families: readonly { name: string; text: string; thinks: boolean }[] = [
  { name: 'DeepSeek R1, Qwen3-Thinking, EXAONE 4', text: `${thinking}\n</think>\n\n${answer}`, thinks: true },
  { name: 'the same with a line break of the prompt', text: `\n${thinking}\n</think>\n\n${answer}`, thinks: true },
  { name: 'Qwen3, GLM', text: `<think>\n${thinking}\n</think>\n\n${answer}`, thinks: true },
  { name: 'Qwen3 told not to think', text: `<think>\n\n</think>\n\n${answer}`, thinks: false },
  { name: 'EXAONE Deep', text: `${thinking}\n</thought>\n\n${answer}`, thinks: true },
  {
    name: 'HyperCLOVA X Think, which chose to think',
    text: `/think\n${thinking}<|im_end|>\n<|im_start|>assistant\n${answer}<|im_end|>`,
    thinks: true,
  },
  {
    name: 'HyperCLOVA X Think, told to think',
    text: `${thinking}<|im_end|>\n<|im_start|>assistant\n${answer}<|im_end|>`,
    thinks: true,
  },
  { name: 'Magistral', text: `[THINK]${thinking}[/THINK]${answer}`, thinks: true },
  { name: 'Seed-OSS', text: `<seed:think>${thinking}</seed:think>${answer}`, thinks: true },
  { name: 'Command A', text: `${thinking}<|END_THINKING|>${answer}`, thinks: true },
  { name: 'a model that does not think', text: answer, thinks: false },
];

const controlTokens = ['<|im_start|>', '<|im_end|>'];
const formats: readonly ReasoningFormat[] = ['auto', 'tags', 'open'];
const befores: readonly (ReasoningStyle | 'fresh')[] = ['fresh', 'plain', 'field', 'tags', 'open'];
const wishes = [true, false, null] as const;

interface Kind {
  readonly format?: ReasoningFormat;
  readonly expected?: boolean | null;
  readonly before?: ReasoningStyle | 'fresh';
  readonly isWhole?: boolean;
  readonly more?: Partial<SplitOptions>;
}

function memoryAfter(before: Kind['before'], expected: boolean | null): ReasoningMemory {
  const memory = new ReasoningMemory();
  if (before !== undefined && before !== 'fresh') memory.note(`m ${String(expected)}`, before);
  return memory;
}

const textOf = (text: string, channel: 'content' | 'reasoning' = 'content', choice = 0): ChatEvent => ({
  type: 'text',
  choice,
  channel,
  json: toJsonText(text),
});
const finishOf = (reason: 'stop' | 'length' = 'stop', stop: string | null = null, choice = 0): ChatEvent => ({
  type: 'finish',
  choice,
  reason,
  stop,
});

function run(events: readonly ChatEvent[], { format = 'auto', expected = true, before, isWhole = false, more }: Kind) {
  const read = [
    { reasoning: '', content: '' },
    { reasoning: '', content: '' },
  ] satisfies object[];
  const { sink } = splitReasoning(
    {
      memoryKey: () => `m ${String(expected)}`,
      memory: memoryAfter(before, expected),
      wish: { expected, byDefault: expected === true, opensInPrompt: () => format === 'open' && expected !== false },
      format,
      isSeparated: () => false,
      isWhole,
      onHeld: () => undefined,
      stops: [],
      isJson: false,
      hasTools: false,
      controlTokens,
      ...more,
    },
    (event) => {
      const choice = event.type === 'text' ? read[event.choice] : undefined;
      if (choice && event.type === 'text') choice[event.channel] += fromJsonText(event.json);
    },
  );
  events.forEach(sink);
  return read;
}

const readText = (pieces: readonly string[], kind: Kind, finish = finishOf()) =>
  run([...pieces.map((piece) => textOf(piece)), finish], kind)[0];

describe.each(families)('a reply of $name', ({ text, thinks }) => {
  const wanted = { reasoning: thinks ? thinking : '', content: answer };

  it.each(formats)(
    'comes out right whole and cut anywhere, whatever was asked and seen before (format %s)',
    (format) => {
      for (const before of befores)
        for (const expected of wishes) {
          const kind = { format, before, expected };
          expect(readText([text], { ...kind, isWhole: true }), JSON.stringify(kind)).toEqual(wanted);
          expect(readText(text.match(/[^]/g) ?? [], { ...kind, isWhole: true }), JSON.stringify(kind)).toEqual(wanted);
          // A profile that never thinks is believed until a reply contradicts it.
          if (expected === null && (before !== 'open' || format !== 'open')) continue;
          expect(readText(text.match(/[^]/g) ?? [], kind), JSON.stringify(kind)).toEqual(wanted);
          for (let cut = 1; cut < text.length; cut++)
            expect(readText([text.slice(0, cut), text.slice(cut)], kind), JSON.stringify({ ...kind, cut })).toEqual(
              wanted,
            );
        }
    },
  );

  it('is the answer as it stands where the profile says that thinking has a field of its own', () => {
    const content = text.replaceAll(/<\|im_(?:start|end)\|>/g, '');
    for (const isWhole of [true, false])
      for (const pieces of [[text], text.match(/[^]/g) ?? []])
        expect(readText(pieces, { format: 'field', isWhole })).toEqual({ reasoning: '', content });
  });
});

test('thinking in a field of its own leaves the answer alone, whatever was seen before', () => {
  const spoken = `${answer} </think> <think>`;
  for (const format of [...formats, 'field'] as const)
    for (const before of befores)
      for (const expected of wishes)
        for (const isWhole of [true, false]) {
          const events = [textOf(thinking, 'reasoning'), ...[...spoken].map((piece) => textOf(piece)), finishOf()];
          const [read] = run(events, { format, before, expected, isWhole });
          expect(read).toEqual({ reasoning: thinking, content: spoken });
        }
});

describe('a reply that speaks of the tags', () => {
  it.each([
    'Das Ende ist `</think>`.',
    'Use text.split("</think>")[-1] or re.sub(\'</think>\', x).',
    '「</think>」라는 표시와 (</think>)',
    'It writes <think>one</think> and <think>two</think>.',
    '```\n<think>\nfirst\n</think> second\n```',
  ])('is an answer: %s', (text) => {
    for (const isWhole of [true, false])
      for (const expected of wishes)
        for (const pieces of [[text], text.match(/[^]/g) ?? []])
          expect(readText(pieces, { expected, isWhole })).toEqual({ reasoning: '', content: text });
  });

  it('within its thinking is told apart all the same', () => {
    const text = 'The user asks for <think> and `</think>`.\n</think>\n\nOK';
    const wanted = { reasoning: 'The user asks for <think> and `</think>`.', content: 'OK' };
    expect(readText([text], { isWhole: true })).toEqual(wanted);
    expect(readText(text.match(/[^]/g) ?? [], {})).toEqual(wanted);
  });
});

describe('a reply without a closing tag that was cut', () => {
  const cut = (kind: Kind, finish = finishOf('length')) => readText(['생각', ' 중'], kind, finish);

  it('is thinking where the model was to think and nothing speaks against it', () => {
    for (const isWhole of [true, false])
      for (const before of ['fresh', 'open'] as const)
        expect(cut({ before, isWhole })).toEqual({ reasoning: '생각 중', content: '' });
    expect(cut({}, finishOf('stop', '#'))).toEqual({ reasoning: '생각 중', content: '' });
  });

  it('is an answer where the model has none, or was told not to', () => {
    for (const isWhole of [true, false]) {
      for (const before of ['plain', 'field', 'tags'] as const)
        expect(cut({ before, isWhole })).toEqual({ reasoning: '', content: '생각 중' });
      for (const expected of [false, null])
        expect(cut({ expected, isWhole })).toEqual({ reasoning: '', content: '생각 중' });
    }
  });
});

test('an answer that is JSON by the request is given out at once', () => {
  const options: Partial<SplitOptions> = { isJson: true };
  expect(run([textOf('{"a"')], { before: 'open', more: options })[0]?.content).toBe('{"a"');
  expect(run([textOf(' [1')], { more: options })[0]?.content).toBe(' [1');
  expect(run([textOf('음')], { more: options })[0]).toEqual({ reasoning: '', content: '' });
});

test('a reply that holds a stop string is given out at once where it is an answer', () => {
  const more: Partial<SplitOptions> = { stops: ['끝'] };
  for (const isWhole of [true, false]) {
    expect(run([textOf('답 '), textOf('끝')], { expected: false, isWhole, more })[0]?.content).toBe('답 끝');
    expect(run([textOf('답 '), textOf('끝')], { expected: true, isWhole, more })[0]?.content).toBe('');
  }
});

test('the text of an engine that tells thinking by itself is the answer', () => {
  const more: Partial<SplitOptions> = { isSeparated: () => true };
  expect(run([textOf('<think>a</think>')], { more })[0]?.content).toBe('<think>a</think>');
  expect(run([textOf('a')], { more })[0]?.content).toBe('a');
});

test('a long whole reply goes on as the very text that came', () => {
  const event = textOf('긴 답이다. '.repeat(100));
  const out: ChatEvent[] = [];
  const { sink } = splitReasoning(
    {
      memoryKey: () => 'm true',
      memory: new ReasoningMemory(),
      wish: { expected: true, byDefault: true, opensInPrompt: () => false },
      format: 'auto',
      isSeparated: () => false,
      isWhole: true,
      onHeld: () => undefined,
      stops: [],
      isJson: false,
      hasTools: false,
      controlTokens,
    },
    (given) => out.push(given),
  );
  sink(event);
  expect(out).toEqual([]);
  sink(finishOf());
  expect(out[0]).toBe(event);
});

test('choices are told apart each by itself', () => {
  const pieces = (text: string, choice: number) => [...text].map((piece) => textOf(piece, 'content', choice));
  const events = [
    ...pieces('생각</think>답', 0),
    ...pieces('그냥 답', 1),
    finishOf('stop', null, 0),
    finishOf('stop', null, 1),
  ];
  for (const isWhole of [true, false])
    expect(run(events, { isWhole })).toEqual([
      { reasoning: '생각', content: '답' },
      { reasoning: '', content: '그냥 답' },
    ]);
});
