import type { Tool } from '@ai-studio/contract/chat/request.ts';
import { describe, expect, test } from 'vitest';
import { answerTo, ask } from '../../../../../test/support/ask-builtin-engine.ts';

const tool = (name: string, description: string, properties: Record<string, unknown>, required: string[]): Tool => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties, required } },
});
const text = { type: 'string' };
const weather = tool(
  'get_weather',
  'Get the current weather for a city (도시의 날씨, 기온)',
  { location: { ...text, description: 'City name' }, unit: { ...text, enum: ['celsius', 'fahrenheit'] } },
  ['location'],
);
const search = tool(
  'search_documents',
  'Search the company documents (문서 검색)',
  { query: text, top_k: { type: 'integer' } },
  ['query'],
);
const calculator = tool('calculator', 'Evaluates an arithmetic expression (계산)', { expression: text }, [
  'expression',
]);
const hotel = tool(
  'book_hotel',
  '호텔을 예약합니다. Books a hotel',
  {
    city: text,
    check_in: { ...text, format: 'date' },
    nights: { type: 'integer', minimum: 1 },
    guests: { type: 'integer' },
    breakfast: { type: 'boolean' },
  },
  ['city', 'check_in', 'nights'],
);
const email = tool(
  'send_email',
  'Send an email to a person',
  { to: { ...text, format: 'email' }, subject: text, body: text },
  ['to', 'subject', 'body'],
);
const light = tool('set_light', '조명을 켜거나 끕니다', { room: text, on: { type: 'boolean' } }, ['room', 'on']);
const tools = [weather, search, calculator, hotel, email, light];

async function calls(
  question: string,
  more: Record<string, unknown> = {},
): Promise<(readonly [name: string, given: unknown])[]> {
  const { choices } = await ask({ messages: [{ role: 'user', content: question }], tools, ...more });
  return (choices[0]?.calls ?? []).map(({ name, arguments: given }) => [name, JSON.parse(given) as unknown]);
}

describe('a tool is called with the words of the user', () => {
  test.each<[string, string, unknown]>([
    ['서울 날씨 어때?', 'get_weather', { location: '서울' }],
    ['오늘 부산의 기온은 몇 도인가요?', 'get_weather', { location: '부산' }],
    ['What is the weather in Paris?', 'get_weather', { location: 'Paris' }],
    [
      "What's the weather like in San Francisco, CA in fahrenheit?",
      'get_weather',
      { location: 'San Francisco, CA', unit: 'fahrenheit' },
    ],
    ['휴가 규정 검색해줘', 'search_documents', { query: '휴가 규정' }],
    ['search for the refund policy', 'search_documents', { query: 'the refund policy' }],
    ['12*(3+4) 계산해줘', 'calculator', { expression: '12*(3+4)' }],
    [
      'Book a hotel in Seoul on 2026-03-05 for 3 nights and 2 guests, without breakfast',
      'book_hotel',
      { city: 'Seoul', check_in: '2026-03-05', nights: 3, guests: 2, breakfast: false },
    ],
    [
      'Send an email to bob@example.com with subject: Lunch and body: see you at noon',
      'send_email',
      { to: 'bob@example.com', subject: 'Lunch', body: 'see you at noon' },
    ],
    ['거실 조명 꺼줘', 'set_light', { room: '거실', on: false }],
    ['안방 조명 켜줘', 'set_light', { room: '안방', on: true }],
  ])('%s', async (question, name, given) => expect(await calls(question)).toEqual([[name, given]]));
});

describe('several things named at once', () => {
  const two = [
    ['get_weather', { location: '서울' }],
    ['get_weather', { location: '부산' }],
  ];
  test('are as many calls', async () => {
    expect(await calls('서울과 부산 날씨 알려줘')).toEqual(two);
    expect((await calls('What is the weather in Seoul, Tokyo and New York today?')).map(([, given]) => given)).toEqual([
      { location: 'Seoul' },
      { location: 'Tokyo' },
      { location: 'New York' },
    ]);
  });
  test('are one call where parallel calls are off', async () => {
    expect(await calls('서울과 부산 날씨 알려줘', { parallel_tool_calls: false })).toEqual([two[0]]);
  });
  test('have ids of their own', async () => {
    const { choices } = await ask({ messages: [{ role: 'user', content: '서울과 부산 날씨' }], tools, n: 2 });
    const ids = choices.flatMap((choice) => choice.calls.map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
  });
});

describe('tool_choice', () => {
  test.each(['안녕하세요', 'Tell me a joke', 'What can you do?', 'Thanks!'])(
    'auto leaves tools alone: %s',
    async (question) => {
      expect((await calls(question)).filter(([name]) => name !== 'search_documents')).toEqual([]);
    },
  );
  test('none calls nothing', async () => {
    expect(await calls('서울 날씨', { tool_choice: 'none' })).toEqual([]);
  });
  test('required always calls', async () => {
    expect(await calls('안녕하세요', { tool_choice: 'required' })).toHaveLength(1);
  });
  test('a named tool is called whatever was said', async () => {
    expect(
      await calls('서울 날씨', { tool_choice: { type: 'function', function: { name: 'set_light' } } }),
    ).toMatchObject([['set_light', {}]]);
  });
  test('a question of knowledge goes to a tool that looks things up', async () => {
    expect(await calls('육아휴직은 언제 신청하나요?')).toEqual([
      ['search_documents', { query: '육아휴직은 언제 신청하나요?' }],
    ]);
  });
});

describe('results of tools are answered from', () => {
  const after = (question: string, ...results: string[]) => ({
    tools,
    messages: [
      { role: 'user' as const, content: question },
      {
        role: 'assistant' as const,
        content: null,
        tool_calls: results.map((_, i) => ({
          id: `c${i}`,
          type: 'function' as const,
          function: { name: 'get_weather', arguments: `{"location":"도시${i}"}` },
        })),
      },
      ...results.map((content, i) => ({ role: 'tool' as const, tool_call_id: `c${i}`, content })),
    ],
  });
  test('in words, each with what it is about, without another call', async () => {
    const { choices } = await ask(after('날씨는?', '{"sky":"맑음","temp":{"now":3}}', '{"sky":"비"}'));
    expect(choices[0]?.calls).toEqual([]);
    expect(choices[0]?.content).toBe(
      'get_weather(도시0)의 결과입니다: sky 맑음, temp now 3\nget_weather(도시1)의 결과입니다: sky 비',
    );
  });
  test('errors are told as errors', async () => {
    expect(await answerTo(after('날씨는?', '{"error":"no such city"}'))).toMatch(/오류를 알렸습니다: no such city/);
  });
  test('long results are searched, and cited', async () => {
    const hits = [
      { document_name: '연차.hwp', content: '연차는 15일이다. '.repeat(30) },
      { document_name: '퇴직.hwp', content: '퇴직금은 퇴직일로부터 14일 이내에 지급한다.' },
    ];
    expect(await answerTo(after('퇴직금은 언제 지급되나요?', JSON.stringify({ hits })))).toBe(
      '퇴직금은 퇴직일로부터 14일 이내에 지급한다. [2]',
    );
  });
});
