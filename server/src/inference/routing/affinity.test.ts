import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { times } from '../../../test/support/long.ts';
import { outlineJson } from '../../kernel/json-outline/index.ts';
import { type Engine, EngineError } from '../../ports/engine.ts';
import { hashText, promptKey } from './affinity.ts';
import type { Candidate } from './target.ts';
import { createTargets } from './targets.ts';

const engine = (id: string): Engine => ({
  id,
  kind: 'openai',
  traits: { choices: true, reportsStop: true },
  health: () => Promise.resolve({ ok: true, reason: null }),
  models: () => Promise.resolve([]),
  close: () => Promise.resolve(),
});
const bindings = [{ engine: 'e', weight: 1, priority: 0 }];

interface Place {
  readonly url: string;
  readonly weight: number;
}
const places = (count: number): Place[] =>
  Array.from({ length: count }, (_, at) => ({ url: `http://10.0.0.${at}:8000/v1`, weight: 1 }));

/** The addresses of one engine in a process of its own, and who gets a key. */
function router(list: readonly Place[], now = () => 0) {
  const addresses = list.map(({ url, weight }, at) => ({ engine: engine(`e/${at}`), weight, url }));
  const targets = createTargets({ engines: new Map([['e', addresses]]), now, random: () => 0.5 });
  const candidates = targets.of(bindings, 'm');
  const choose = (key: number): Candidate => {
    const picked = targets.pick(candidates, [], () => key);
    if (!picked) throw new Error('Nobody was picked');
    return picked;
  };
  return { targets, candidates, choose, urlOf: (key: number) => choose(key).target.url };
}
const keys = Array.from({ length: 4_000 }, (_, at) => hashText(`conversation ${at}`));

const anyPlaces = fc
  .uniqueArray(fc.integer({ min: 0, max: 999 }), { minLength: 2, maxLength: 12 })
  .map((numbers) => numbers.map((at) => ({ url: `http://engine-${at}:8000/v1`, weight: 1 + (at % 3) })));

describe('the address of a conversation', () => {
  test('is the same in every process, in whichever order it knows the addresses', () => {
    fc.assert(
      fc.property(anyPlaces, fc.string(), (list, name) => {
        const key = hashText(name);
        expect(router(list).urlOf(key)).toBe(router(list.toReversed()).urlOf(key));
      }),
      { numRuns: times(100, 2_000) },
    );
  });

  test('stays where it is when another address comes or goes', () => {
    fc.assert(
      fc.property(anyPlaces, fc.nat(), fc.string(), (list, at, name) => {
        const key = hashText(name);
        const left = list.toSpliced(at % list.length, 1);
        const before = router(list).urlOf(key);
        if (before !== list[at % list.length]?.url) expect(router(left).urlOf(key)).toBe(before);
      }),
      { numRuns: times(100, 2_000) },
    );
  });

  test('is each one as often as its weight says', () => {
    const list = places(4).map((place, at) => ({ ...place, weight: at === 0 ? 3 : 1 }));
    const { urlOf } = router(list);
    const counts = new Map<string | null, number>();
    for (const key of keys) counts.set(urlOf(key), (counts.get(urlOf(key)) ?? 0) + 1);
    expect((counts.get(list[0]?.url ?? '') ?? 0) / keys.length).toBeCloseTo(0.5, 1);
    for (const { url } of list.slice(1)) expect((counts.get(url) ?? 0) / keys.length).toBeCloseTo(1 / 6, 1);
  });

  test('is the next one while its own has more calls than its share, and its own again after that', () => {
    const { targets, choose } = router(places(8));
    const key = hashText('one');
    const first = choose(key);
    const taken: Candidate[] = [];
    for (let next = first; next === first; next = choose(key)) {
      targets.started(next);
      taken.push(next);
    }
    const second = choose(key);
    expect(taken.length).toBeGreaterThanOrEqual(8);
    expect(choose(key)).toBe(second);
    for (const one of taken) targets.released(one);
    expect(choose(key)).toBe(first);
  });

  test('takes as many more as its weight says', () => {
    const list = places(2).map((place, at) => ({ ...place, weight: at === 0 ? 1 : 7 }));
    const { candidates, choose } = router(list);
    const [light, heavy] = candidates;
    if (!light || !heavy) throw new Error('There are two');
    const keyOf = (wanted: Candidate) => keys.find((key) => choose(key) === wanted) ?? 0;
    const [lights, heavys] = [keyOf(light), keyOf(heavy)];
    // Of 80 calls 10 and 70 are the shares.
    heavy.target.inFlight = 70;
    light.target.inFlight = 10;
    expect(choose(heavys)).toBe(heavy);
    expect(choose(lights)).toBe(light);
    light.target.inFlight = 30;
    expect(choose(lights)).toBe(heavy);
  });

  test('counts what other processes have there', () => {
    const { choose } = router(places(8));
    const key = hashText('one');
    const first = choose(key);
    first.target.elsewhere = 20;
    expect(choose(key)).not.toBe(first);
  });

  test('leaves no address with much more than its share, whatever the keys', () => {
    fc.assert(
      fc.property(anyPlaces, fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 200 }), (list, names) => {
        const { targets, candidates, choose } = router(list);
        const whole = candidates.reduce((sum, { weight }) => sum + weight, 0);
        for (const [at, name] of names.entries()) {
          const picked = choose(hashText(`key ${name}`));
          targets.started(picked);
          const share = ((at + 1) * picked.weight) / whole;
          expect(picked.target.inFlight).toBeLessThanOrEqual(Math.max(share * 1.25, share + 8));
        }
      }),
      { numRuns: times(100, 2_000) },
    );
  });

  test('is another while its own is resting, was tried, or is drained', () => {
    const { targets, candidates, choose } = router(places(4));
    const key = hashText('one');
    const first = choose(key);
    expect(targets.pick(candidates, [first.target], () => key)).not.toBe(first);
    targets.drain([{ engine: 'e', url: first.target.url ?? '' }]);
    const second = choose(key);
    expect(second).not.toBe(first);
    targets.drain([]);
    expect(choose(key)).toBe(first);
    const down = new EngineError('unavailable', 'down');
    targets.failed(first, down);
    targets.failed(first, down);
    expect(choose(key)).toBe(second);
  });

  test('is never one of a later priority while there is one of the first', () => {
    const list = (at: number) => [{ engine: engine(`e${at}`), weight: 1, url: `http://${at}` }];
    const engines = new Map([0, 1, 2].map((at) => [`e${at}`, list(at)]));
    const targets = createTargets({ engines, now: () => 0, random: () => 0.5 });
    const candidates = targets.of(
      [0, 1, 2].map((at) => ({ engine: `e${at}`, weight: 1, priority: Math.min(at, 1) })),
      'm',
    );
    const picked = new Set(keys.slice(0, 50).map((key) => targets.pick(candidates, [], () => key)?.target.name));
    expect(picked).toEqual(new Set(['e0']));
    targets.drain([{ engine: 'e0', url: 'http://0' }]);
    const others = new Set(keys.slice(0, 50).map((key) => targets.pick(candidates, [], () => key)?.target.name));
    expect(others).toEqual(new Set(['e1', 'e2']));
  });

  test('is not looked for where there is one alone', () => {
    const { targets, candidates } = router(places(1));
    const picked = targets.pick(candidates, [], () => {
      throw new Error('There is nothing to choose');
    });
    expect(picked).toBe(candidates[0]);
  });
});

describe('the key of a prompt', () => {
  const turn = (question: string, answers: readonly string[] = []) => [
    { role: 'system', content: '너는 도서관의 사서다' },
    { role: 'user', content: question },
    ...answers.flatMap((answer) => [
      { role: 'assistant', content: answer },
      { role: 'user', content: `그리고? ${answer}` },
    ]),
  ];

  test('stays that of its conversation as that grows, and is another for another question or system text', () => {
    const key = promptKey(turn('책이 있나요?'));
    expect(promptKey(turn('책이 있나요?', ['네', '아니요']))).toBe(key);
    expect(promptKey(turn('지도가 있나요?'))).not.toBe(key);
    expect(promptKey(turn('책이 있나요?').slice(1))).not.toBe(key);
    // 64 bytes of the question count.
    const asked = (length: number, end: string) => promptKey([{ role: 'user', content: 'a'.repeat(length) + end }]);
    expect(asked(64, 'one')).toBe(asked(64, 'other'));
    expect(asked(63, 'one')).not.toBe(asked(63, 'two'));
  });

  test('is that of the first text where a question has parts', () => {
    const parts = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'text', text: '책이 있나요?' },
    ];
    expect(promptKey([{ role: 'user', content: parts }])).toBe(promptKey([{ role: 'user', content: '책이 있나요?' }]));
  });

  test.each([[undefined], [[]], [[{ role: 'system', content: 'x' }]], ['text']])('of %j is none', (messages) => {
    expect(promptKey(messages)).toBeNull();
  });

  test('is the same for a body that is read whole and for the outline of one that has grown', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '가', '"', '\\', '\n', ' '), maxLength: 300 });
    fc.assert(
      fc.property(text, text, fc.boolean(), (system, question, escapes) => {
        const messages = [
          { role: 'system', content: system },
          { role: 'user', content: question },
        ];
        const json = (value: unknown) => {
          const plain = JSON.stringify(value);
          // As clients write that keep to ASCII.
          const ascii = plain.replace(/가/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
          return Buffer.from(escapes ? ascii : plain);
        };
        const grown = json({ messages: [...messages, { role: 'assistant', content: 'b'.repeat(9_000) }] });
        const view = JSON.parse(json({ messages }).toString('latin1')) as { messages: unknown };
        const outline = JSON.parse(outlineJson(grown)?.text ?? 'null') as { messages: unknown } | null;
        if (outline) expect(promptKey(outline.messages)).toBe(promptKey(view.messages));
      }),
      { numRuns: times(200, 5_000) },
    );
  });
});
