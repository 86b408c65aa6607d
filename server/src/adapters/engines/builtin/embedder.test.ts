import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../../test/support/any-text.ts';
import { DEFAULT_DIMENSIONS, embedSteps, MAX_DIMENSIONS, MIN_DIMENSIONS } from './embedder.ts';
import { createBuiltinEngine } from './engine.ts';
import { documents, questions } from '../../../../test/support/knowledge.ts';
import { countTokens } from './tokenizer.ts';

/** The vector of a text, made in one go. */
function embedText(text: string, dimensions: number = DEFAULT_DIMENSIONS): Float32Array {
  const steps = embedSteps(text, dimensions);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
const likeness = (a: string, b: string) => product(embedText(a), embedText(b));
const signal = new AbortController().signal;

test('every text gives a finite vector of length 1, the same each time', () => {
  fc.assert(
    fc.property(
      anyText({ maxLength: 300 }),
      fc.integer({ min: MIN_DIMENSIONS, max: MAX_DIMENSIONS }),
      (text, dimensions) => {
        const vector = embedText(text, dimensions);
        expect(vector).toHaveLength(dimensions);
        expect(Math.sqrt(product(vector, vector))).toBeCloseTo(1, 4);
        expect(embedText(text, dimensions)).toEqual(vector);
      },
    ),
  );
});

test('texts without words have a vector too', () => {
  for (const text of ['', ' ', '!!!', '😀']) expect(product(embedText(text), embedText(text))).toBe(1);
});

test('the numbers are the same on every machine and in every version', () => {
  const vector = embedText('연차 휴가 규정 refund policy', 64);
  const places = [...vector.entries()]
    .filter(([, value]) => Math.abs(value) > 0.2)
    .map(([place, value]) => [place, Number(value.toFixed(4))]);
  expect(places).toMatchInlineSnapshot(`
    [
      [
        3,
        0.3679,
      ],
      [
        5,
        0.3679,
      ],
      [
        7,
        -0.3679,
      ],
      [
        15,
        -0.2207,
      ],
      [
        20,
        0.2939,
      ],
      [
        44,
        -0.3163,
      ],
      [
        51,
        -0.3679,
      ],
    ]
  `);
});

describe('like texts are near each other', () => {
  test.each([
    ['휴가 신청 방법', '휴가를 신청하는 방법은?', '서버 점검 일정 안내'],
    ['퇴직금은 언제 지급되나요?', '퇴직금은 퇴직일로부터 14일 이내에 지급한다.', '구내식당은 지하 1층에 있다.'],
    ['데이터 분석 보고서', '데이타 분석 보고서', '출장 여비 규정'],
    ['the refund policy for customers', 'customer refunds policies', 'the weather in Paris'],
    ['the organisation of work', 'organizing the work', 'a recipe for soup'],
    ['AI 모델 서버 연결', 'AI 모델을 서버에 연결하기', '점심 메뉴'],
  ])('%s ~ %s, not %s', (text, like, unlike) => {
    expect(likeness(text, like)).toBeGreaterThan(likeness(text, unlike) + 0.2);
  });

  test.each([
    ['학교에서', '학교는'],
    ['휴가를', '휴가는'],
    ['서울로', '서울에서'],
    ['직원들에게', '직원은'],
  ])('whatever particle follows: %s, %s', (a, b) => expect(likeness(a, b)).toBeGreaterThan(0.9));

  test('in any spelling of the same characters', () => {
    expect(likeness('한글'.normalize('NFD'), '한글')).toBeCloseTo(1, 5);
    expect(likeness('ＡＢＣ Corp', 'abc corp')).toBeCloseTo(1, 5);
  });

  test('so that most questions find their document first among thirty', () => {
    const vectors = documents.map((text) => embedText(text));
    const first = questions.filter(([question, , document]) => {
      const asked = embedText(question);
      const scores = vectors.map((vector) => product(asked, vector));
      return scores.indexOf(Math.max(...scores)) === document - 1;
    });
    expect(first.length / questions.length).toBeGreaterThan(0.75);
  });
});

describe('the engine', () => {
  const engine = createBuiltinEngine();
  const call = { requestId: 'r', model: 'builtin-lexical', dimensions: null, signal };

  test('gives one vector an input and counts its tokens', async () => {
    const result = await engine.embed?.({ ...call, input: ['안녕하세요', 'hello'] });
    expect(result?.vectors).toEqual([embedText('안녕하세요', DEFAULT_DIMENSIONS), embedText('hello')]);
    expect(result?.promptTokens).toBe(countTokens('안녕하세요') + countTokens('hello'));
  });

  test('lets others have their turn within a long text', async () => {
    const long = Array.from({ length: 60_000 }, (_, at) => `낱말${at}`).join(' ');
    let passed = 0;
    let over = false;
    const tick = () => {
      passed++;
      if (!over) setImmediate(tick);
    };
    setImmediate(tick);
    const result = await engine.embed?.({ ...call, input: [long] });
    over = true;
    expect(result?.vectors).toEqual([embedText(long)]);
    // Once a slice of 65,536 units, at least.
    expect(passed).toBeGreaterThanOrEqual(Math.floor(long.length / 65_536));
  });

  test.each([MIN_DIMENSIONS - 1, MAX_DIMENSIONS + 1, 100.5])('refuses %s dimensions', async (dimensions) => {
    await expect(engine.embed?.({ ...call, dimensions, input: ['a'] })).rejects.toMatchObject({
      kind: 'refused',
      param: 'dimensions',
    });
  });

  test('stops when it is told to', async () => {
    const stop = new AbortController();
    const running = engine.embed?.({
      ...call,
      input: Array.from({ length: 50 }, () => '가나다 '.repeat(20_000)),
      signal: stop.signal,
    });
    stop.abort(new TypeError('enough'));
    await expect(running).rejects.toThrow('enough');
  });
});
