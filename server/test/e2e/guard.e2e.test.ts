import { type GuardPolicy, defaultGuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { UsageReport } from '@ai-studio/contract/console/usage.ts';
import { PrivacyCounts } from '@ai-studio/contract/console/privacy.ts';
import { TurnEvent } from '@ai-studio/contract/console/conversations.ts';
import { piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages';
import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { administratorEnv } from '../support/administrator-env.ts';
import { signInAdministrator } from '../support/administrator.ts';
import { makeKey } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import { type Handler, type UpstreamCall, play, playPieces, sse, upstreamUsage } from '../support/upstream.ts';

let house: House;
let session: Record<string, string>;
const keys: Record<'mask' | 'refuse' | 'report' | 'off' | 'inherit', string> = {
  mask: '',
  refuse: '',
  report: '',
  off: '',
  inherit: '',
};

beforeAll(async () => {
  house = await openHouse({
    env: administratorEnv,
    config: () => ({ log: { level: 'debug', format: 'json' }, probe: { enabled: false } }),
  });
  session = await signInAdministrator(house);
  for (const mode of ['mask', 'refuse', 'report', 'off'] as const)
    keys[mode] = (await makeKey(house, { privacyMode: mode })).value;
  keys.inherit = house.key;
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const RRN = '960121-1234567';
const CARD = '4111-1111-1111-1111';
const secrets = [RRN, CARD, '9601211234567'];
const messages = [
  { role: 'user' as const, content: `제 주민번호는 ${RRN}이고 카드는 ${CARD}입니다. 확인해 주세요 🙂` },
];

const client = (mode: keyof typeof keys) =>
  new OpenAI({ baseURL: `${house.base}/v1`, apiKey: keys[mode], maxRetries: 0 });

const consoleCall = async (path: string, method = 'GET', body?: unknown) => {
  const response = await fetch(`${house.base}/console/api${path}`, {
    method,
    headers: { ...session, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
};
async function setPolicy(change: Partial<GuardPolicy>): Promise<void> {
  const { status, text } = await consoleCall('/privacy/policy', 'PUT', { ...defaultGuardPolicy, ...change });
  expect(status, text).toBe(200);
}

/** Tokens in what the model was given, in their order. */
const tokensOf = (call: UpstreamCall) => call.text.match(/\[[A-Z_]+_[2-9A-HJ-NP-Z]{8}\]/g) ?? [];
const expectNothingOf = (text: string) => {
  for (const secret of secrets) expect(text).not.toContain(secret);
};

/** Answers with what it was given as tokens, in content, thinking and the arguments of a call. */
const repeats: Handler = (call) => {
  const [rrn = '', card = ''] = tokensOf(call);
  return play({
    reasoning: `그는 ${rrn}`,
    text: `확인: ${rrn}, ${card}.`,
    tools: [{ id: 'call_a', name: 'look_up', arguments: `{"rrn":"${rrn}","cards":["${card}"]}` }],
  })(call);
};
const tools = [{ type: 'function' as const, function: { name: 'look_up', parameters: { type: 'object' } } }];

describe('a key that masks', () => {
  test('whole: the model never sees a value, the caller sees it again', async () => {
    covers('guard.mask', 'guard.tools', 'guard.everywhere');
    house.upstream.plays(repeats);
    const { data, response } = await client('mask')
      .chat.completions.create({ model: 'CORE-GOV-THINK', messages, tools, user: RRN })
      .withResponse();
    const sent = house.upstream.one();
    expectNothingOf(sent.text);
    expect(sent.json.messages[0]).toMatchObject({ role: 'user', content: expect.stringMatching(/🙂$/) as string });
    const [choice] = data.choices;
    expect(choice?.message).toMatchObject({
      content: `확인: ${RRN}, ${CARD}.`,
      reasoning_content: `그는 ${RRN}`,
      tool_calls: [{ function: { name: 'look_up', arguments: `{"rrn":"${RRN}","cards":["${CARD}"]}` } }],
    });
    expect(response.headers.get('x-privacy-findings')).toBe('CREDIT_CARD=1, RRN=1');
  });

  test('in the Responses form: the same, also in what is kept and gone on from', async () => {
    house.upstream.plays(repeats);
    const { responses } = client('mask');
    const body = { model: 'CORE-GOV-THINK', input: messages, instructions: `${RRN} 확인` };
    const { data, response } = await responses.create(body).withResponse();
    expect(data.output_text).toContain(RRN);
    expect(response.headers.get('x-privacy-findings')).toBe('CREDIT_CARD=1, RRN=1');
    expect(await responses.retrieve(data.id)).toMatchObject({ output: data.output });
    await responses.create({ model: 'CORE-GOV-THINK', input: '계속', previous_response_id: data.id });
    let streamed = '';
    for await (const event of await responses.create({ ...body, stream: true }))
      if (event.type === 'response.output_text.delta') streamed += event.delta;
    expect(streamed).toContain(RRN);
    for (const { text } of house.upstream.calls) expectNothingOf(text);
  });

  test('in the Messages form: the same, whole and streamed, and in what is counted', async () => {
    house.upstream.plays(repeats);
    const anthropic = new Anthropic({ baseURL: house.base, apiKey: keys.mask, maxRetries: 0 });
    const csv = Buffer.from(`이름,번호\n홍길동,${RRN}\n`).toString('base64');
    const body: MessageCreateParamsNonStreaming = {
      model: 'CORE-GOV-THINK',
      max_tokens: 1024,
      system: '확인',
      metadata: { user_id: 'u-1' },
      messages: [
        ...messages,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look_up', input: { card: CARD } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: `그의 번호는 ${RRN}` },
            {
              type: 'document',
              title: '명단.csv',
              source: { type: 'base64', media_type: 'text/csv' as 'application/pdf', data: csv },
            },
          ],
        },
      ],
      tools: [{ name: 'look_up', input_schema: { type: 'object' } }],
    };
    const { data, response } = await anthropic.messages.create(body).withResponse();
    expect(data.content).toMatchObject([
      { type: 'thinking', thinking: `그는 ${RRN}` },
      { type: 'text', text: `확인: ${RRN}, ${CARD}.` },
      { type: 'tool_use', name: 'look_up', input: { rrn: RRN, cards: [CARD] } },
    ]);
    expect(response.headers.get('x-privacy-findings')).toContain('RRN=');
    const streamed = await anthropic.messages.stream(body).finalMessage();
    expect(streamed.content.slice(1)).toMatchObject(data.content.slice(1));
    for (const { text } of house.upstream.calls) expectNothingOf(text);
    const { max_tokens: _max, metadata: _metadata, ...counted } = body;
    await anthropic.messages.countTokens(counted);
    expectNothingOf(house.upstream.lastCounted);
    for (const [path, asked] of [
      ['/tokenize', { prompt: `주민번호 ${RRN}` }],
      ['/chat/completions/tokens', { messages }],
    ] as const) {
      const headers = { authorization: `Bearer ${keys.mask}`, 'content-type': 'application/json' };
      const sent = { method: 'POST', headers, body: JSON.stringify({ model: 'CORE-GOV-THINK', ...asked }) };
      expect((await fetch(`${house.base}/v1${path}`, sent)).status).toBe(200);
      expectNothingOf(house.upstream.lastCounted);
      expect(house.upstream.lastCounted).toContain('[RRN_');
    }
    const refused = new Anthropic({ baseURL: house.base, apiKey: keys.refuse, maxRetries: 0 }).messages.create(body);
    await expect(refused).rejects.toMatchObject({ status: 422, error: { error: { type: 'invalid_request_error' } } });
  });

  test('streamed, cut anywhere: the same, and never half a token', async () => {
    covers('guard.mask', 'guard.stream', 'guard.tools');
    for (const size of [1, 2, 3, 5, 7, 11, 1_000]) {
      house.upstream.reset();
      house.upstream.plays(
        playPieces((call) => {
          const [rrn = '', card = ''] = tokensOf(call);
          const cut = (text: string) => text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];
          const chunk = (delta: object, finish: string | null = null) =>
            sse({
              id: 'x',
              object: 'chat.completion.chunk',
              created: 1,
              model: 'm',
              choices: [{ index: 0, delta, finish_reason: finish }],
            });
          const args = (part: string) => ({ tool_calls: [{ index: 0, function: { arguments: part } }] });
          return [
            chunk({ role: 'assistant', content: '' }),
            ...cut(`그는 ${rrn}`).map((part) => chunk({ reasoning_content: part })),
            ...cut(`확인: ${rrn}, **${card}** [목록]`).map((part) => chunk({ content: part })),
            chunk({
              tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'look_up', arguments: '' } }],
            }),
            ...cut(`{"rrn":"${rrn}"}`).map((part) => chunk(args(part))),
            chunk({}, 'tool_calls'),
            'data: [DONE]\n\n',
          ];
        }),
      );
      const stream = await client('mask').chat.completions.create({
        model: 'CORE-GOV-THINK',
        messages,
        tools,
        stream: true,
      });
      const got = { text: '', thinking: '', args: '' };
      for await (const { choices } of stream) {
        const delta = choices[0]?.delta as { content?: string; reasoning_content?: string } | undefined;
        got.text += delta?.content ?? '';
        got.thinking += delta?.reasoning_content ?? '';
        got.args += choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '';
        expect(JSON.stringify(choices)).not.toMatch(/RRN|CREDIT/);
      }
      expect(got).toEqual({
        text: `확인: ${RRN}, **${CARD}** [목록]`,
        thinking: `그는 ${RRN}`,
        args: `{"rrn":"${RRN}"}`,
      });
      expectNothingOf(house.upstream.one().text);
    }
  });

  test('tokens are the same in later turns, and other ones in another conversation', async () => {
    covers('guard.tokens');
    const tokens: (string | undefined)[] = [];
    const ask = async (all: OpenAI.ChatCompletionMessageParam[]) => {
      house.upstream.reset();
      await client('mask').chat.completions.create({ model: 'CORE-GOV', messages: all });
      tokens.push(tokensOf(house.upstream.one())[0]);
    };
    await ask(messages);
    await ask([
      { role: 'system', content: '오늘은 화요일' },
      ...messages,
      { role: 'assistant', content: RRN },
      { role: 'user', content: '다시' },
    ]);
    await ask([{ role: 'user', content: `${RRN}?` }]);
    expect(tokens[0]).toMatch(/^\[RRN_/);
    expect(tokens[1]).toBe(tokens[0]);
    expect(tokens[2]).not.toBe(tokens[0]);
  });

  test('JSON answers stay JSON, stop strings and log-probabilities tell nothing', async () => {
    const word = 'Kim "Bob"\tLee';
    await setPolicy({ deny_list: [word] });
    house.upstream.plays((call) =>
      play({
        text: `{"name":"${tokensOf(call)[0]}"}`,
        stop: tokensOf(call).at(-1) ?? null,
        logprobs: { content: [{ token: '[CUS', logprob: -1, bytes: null, top_logprobs: [] }] },
      })(call),
    );
    const reply = await client('mask').chat.completions.create({
      model: 'CORE-GOV',
      messages: [{ role: 'user', content: `Who is ${word}?` }],
      response_format: { type: 'json_object' },
      logprobs: true,
      stop: [RRN],
    });
    const [choice] = reply.choices;
    expect(JSON.parse(choice?.message.content ?? '')).toEqual({ name: word });
    expect(choice).toMatchObject({ stop_reason: RRN });
    expect(JSON.stringify(choice?.logprobs)).not.toContain('CUS');
    expectNothingOf(house.upstream.one().text);
    await setPolicy({});
  });

  test('text completions, too, with an echo of what was given', async () => {
    covers('guard.mask');
    house.upstream.plays(repeats);
    const reply = await client('mask').completions.create({
      model: 'CORE-GOV',
      prompt: `주민번호 ${RRN}\n`,
      echo: true,
    });
    expectNothingOf(house.upstream.one().text);
    expect(reply.choices[0]?.text).toBe(`주민번호 ${RRN}\n확인: ${RRN}, .`);
  });

  test('an answer that is cut off in a token shows nothing of it', async () => {
    covers('guard.stream');
    house.upstream.plays((call) => play({ text: `번호는 ${tokensOf(call)[0]?.slice(0, 9)}`, finish: 'length' })(call));
    for (const stream of [false, true]) {
      let text = '';
      if (stream) {
        const events = await client('mask').chat.completions.create({ model: 'CORE-GOV', messages, stream });
        for await (const { choices } of events) text += choices[0]?.delta.content ?? '';
      } else
        text =
          (await client('mask').chat.completions.create({ model: 'CORE-GOV', messages })).choices[0]?.message.content ??
          '';
      expect(text).toBe('번호는 ');
    }
  });

  test('bytes without values go on as they came', async () => {
    const body = '{"model":"CORE-GOV",  "messages":[{"role":"user","content":"\\uc548\\ub155"}],"max_tokens":5}';
    const response = await fetch(`${house.base}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.mask}`, 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(200);
    expect(response.headers.has('x-privacy-findings')).toBe(false);
    expect(house.upstream.one().text).toContain('"messages":[{"role":"user","content":"\\uc548\\ub155"}]');
  });
});

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it was answered'),
    (error: unknown) => (error instanceof APIError ? error : expect.fail(String(error))),
  );

describe('other modes', () => {
  test('refuse names the types and the place, and asks no model', async () => {
    covers('guard.refuse');
    for (const stream of [false, true]) {
      const error = await failureOf(client('refuse').chat.completions.create({ model: 'CORE-GOV', messages, stream }));
      expect(error).toMatchObject({
        status: 422,
        type: 'invalid_request_error',
        code: '422',
        param: 'messages[0].content',
      });
      expect(error.message).toMatch(/CREDIT_CARD, RRN/);
      expectNothingOf(error.message);
    }
    expect(house.upstream.calls).toHaveLength(0);
    const fine = [{ role: 'user' as const, content: '안녕하세요' }];
    expect(
      (await client('refuse').chat.completions.create({ model: 'CORE-GOV', messages: fine })).choices[0]?.message
        .content,
    ).toBe('OK');
  });

  test('report sends what came, and says what is in it', async () => {
    covers('guard.report');
    const { response } = await client('report').chat.completions.create({ model: 'CORE-GOV', messages }).withResponse();
    expect(house.upstream.one().text).toContain(RRN);
    expect(response.headers.get('x-privacy-findings')).toBe('CREDIT_CARD=1, RRN=1');
  });

  test('off does nothing; the policy of the tenant holds for keys at once, and a milder key needs its leave', async () => {
    covers('guard.levels');
    const sees = async (mode: keyof typeof keys) => {
      house.upstream.reset();
      await client(mode).chat.completions.create({ model: 'CORE-GOV', messages });
      return house.upstream.one().text.includes(RRN);
    };
    expect([await sees('inherit'), await sees('off')]).toEqual([true, true]);
    await setPolicy({ mode: 'mask' });
    expect([await sees('inherit'), await sees('off'), await sees('report')]).toEqual([false, false, false]);
    await setPolicy({ mode: 'mask', may_loosen: true });
    expect([await sees('inherit'), await sees('off'), await sees('report')]).toEqual([false, true, true]);
    await setPolicy({ mode: 'mask', types: ['EMAIL'] });
    expect(await sees('inherit')).toBe(true);
    await setPolicy({});
  });

  test('lists of the tenant', async () => {
    covers('guard.lists');
    await setPolicy({ allow_list: [RRN], deny_list: ['오리온 계획'] });
    await client('mask').chat.completions.create({
      model: 'CORE-GOV',
      messages: [{ role: 'user', content: `오리온 계획과 ${RRN}` }],
    });
    expect(house.upstream.one().json.messages[0]?.content).toMatch(/^\[CUSTOM_\w{8}\]과 960121-1234567$/);
    await setPolicy({});
  });
});

test('the playground and conversations follow the tenant', async () => {
  covers('guard.console');
  await setPolicy({ mode: 'mask' });
  house.upstream.plays(repeats);
  const played = await consoleCall('/chat/completions', 'POST', { model: 'CORE-GOV', messages });
  expect(played.text).toContain(`확인: ${RRN}, ${CARD}.`);
  const { id } = JSON.parse((await consoleCall('/conversations', 'POST', { model: 'CORE-GOV' })).text) as {
    id: string;
  };
  const tokens: (string | undefined)[] = [];
  house.upstream.plays((call) => {
    tokens.push(tokensOf(call)[0]);
    return play({ text: `예, ${tokensOf(call)[0]}` })(call);
  });
  for (const content of [messages[0]!.content, `${RRN} 말입니다`]) {
    const { text } = await consoleCall(`/conversations/${id}/turns`, 'POST', { content });
    const events = text
      .split('\n\n')
      .filter((event) => event.startsWith('data: '))
      .map((event) => TurnEvent.parse(JSON.parse(event.slice(6))));
    expect(events.at(-1)).toMatchObject({ type: 'end', answer: { content: `예, ${RRN}` } });
  }
  expect(tokens[1]).toBe(tokens[0]);
  for (const call of house.upstream.calls) expectNothingOf(call.text);
  await setPolicy({ mode: 'refuse' });
  const refused = await consoleCall(`/conversations/${id}/turns`, 'POST', { content: RRN });
  expect(refused).toMatchObject({ status: 422 });
  expect(refused.text).toContain('RRN');
  await setPolicy({});
});

test('findings are counted by day and type, and what is new of a conversation once', async () => {
  covers('guard.counts');
  const counted = async (type: string) =>
    PrivacyCounts.parse(JSON.parse((await consoleCall('/privacy/counts?days=2')).text)).items.reduce(
      (sum, item) => sum + (item.type === type ? item.count : 0),
      0,
    );
  await setPolicy({ types: [...piiTypes] });
  const before = await counted('EMAIL');
  const said: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'kim@example.kr, lee@example.kr' }];
  await client('report').chat.completions.create({ model: 'CORE-GOV', messages: said });
  said.push({ role: 'assistant', content: 'OK' }, { role: 'user', content: '다음' });
  await client('report').chat.completions.create({ model: 'CORE-GOV', messages: said });
  expect(await counted('EMAIL')).toBe(before + 2);
  await setPolicy({});
});

test('neither the log nor messages hold a value', async () => {
  covers('guard.log');
  house.upstream.plays(
    ({ response }) =>
      void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: `bad: ${RRN}` } })),
  );
  for (const model of ['CORE-GOV', `no ${RRN}`]) {
    const error = await failureOf(client('report').chat.completions.create({ model, messages }));
    expectNothingOf(error.message);
    expect(error.message).toContain('******-*******');
  }
  house.upstream.plays(({ response }) => void response.writeHead(200).end(`nonsense ${RRN}`));
  await failureOf(client('report').chat.completions.create({ model: 'CORE-GOV', messages }));
  expectNothingOf(house.output());
});

describe('a model that looks for names', () => {
  const text = '어제 남궁민수가 이수역에서 주민번호 960121-1234567을 적었다.';
  const mask = async (more: object, key = house.key) => {
    const response = await fetch(`${house.base}/v1/text/pii-mask`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text, pii_types: ['ALL'], ...more }),
    });
    return {
      status: response.status,
      body: (await response.json()) as {
        result: Record<string, unknown>;
        status: object;
        usage?: { total_tokens: number };
      },
    };
  };
  const finds = (content: string) => house.upstream.plays(play({ text: content }));
  const answer = JSON.stringify({
    values: [
      { type: 'PERSON', text: '남궁민수' },
      { type: 'PERSON', text: '홍길순' },
    ],
  });

  test('is asked with a schema, without thinking, and what it gives is found in the text', async () => {
    covers('pii.model');
    finds(`\`\`\`json\n${answer}\n\`\`\``);
    const { body } = await mask({ recognizer_model: 'CORE-GOV-THINK' });
    expect(body.result).toMatchObject({
      masked_text: '어제 ****가 이수역에서 주민번호 ******-*******을 적었다.',
      recognizers: expect.arrayContaining(['resident_number', 'model:CORE-GOV-THINK']) as string[],
      entities: [{ type: 'PERSON', start: 3, end: 7 }, { type: 'RRN' }],
    });
    expect(body.result).not.toHaveProperty('failed_recognizers');
    expect(house.upstream.one().json).toMatchObject({
      temperature: 0,
      response_format: { type: 'json_schema' },
      chat_template_kwargs: { skip_reasoning: true },
    });
  });

  test('is the one of the tenant unless the call says otherwise', async () => {
    finds(answer);
    expect((await mask({})).body.result['masked_text']).toContain('남궁민수');
    expect(house.upstream.calls).toHaveLength(0);
    await setPolicy({ recognizer_model: 'CORE-GOV' });
    expect((await mask({})).body.result['masked_text']).not.toContain('남궁민수');
    expect((await mask({ recognizer_model: 'none' })).body.result['masked_text']).toContain('남궁민수');
    await mask({ pii_types: ['RRN'] });
    expect(house.upstream.calls).toHaveLength(1);
    await setPolicy({});
    expect(
      (await consoleCall('/privacy/policy', 'PUT', { ...defaultGuardPolicy, recognizer_model: 'nobody' })).status,
    ).toBe(400);
  });

  test('takes tokens that count as those of the caller', async () => {
    covers('pii.model.usage');
    const { id, value } = await makeKey(house);
    finds(answer);
    const { body } = await mask({ recognizer_model: 'CORE-GOV' }, value);
    const { prompt_tokens: asked, completion_tokens: answered } = upstreamUsage;
    expect(body.usage).toEqual({ total_tokens: expect.any(Number) as number, recognizer_tokens: asked + answered });
    const plain = await mask({ recognizer_model: 'none' }, value);
    expect(plain.body.usage).toEqual({ total_tokens: body.usage?.total_tokens });
    await eventually(async () => {
      const report = UsageReport.parse(JSON.parse((await consoleCall('/usage?group=key')).text));
      expect(report.rows.find(({ key }) => key === id)).toMatchObject({
        requests: 3,
        prompt_tokens: 2 * (body.usage?.total_tokens ?? 0) + asked,
        completion_tokens: answered,
      });
    });
  });

  test('fails no masking when it is away, refuses or answers nonsense', async () => {
    covers('pii.model.failure');
    const broken: readonly Handler[] = [
      play({ text: 'I see no names.' }),
      play({ text: '{"values":[{"type":"RRN","text":"x"}]}' }),
      ({ response }) => void response.destroy(),
      ({ response }) =>
        void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}'),
    ];
    for (const handler of broken) {
      house.upstream.plays(handler);
      const { status, body } = await mask({ recognizer_model: 'CORE-GOV' });
      expect(status).toBe(200);
      expect(body.result).toMatchObject({
        masked_text: '어제 남궁민수가 이수역에서 주민번호 ******-*******을 적었다.',
        failed_recognizers: [{ name: 'model:CORE-GOV', reason: expect.stringMatching(/./) as string }],
      });
      expect(JSON.stringify(body.result['recognizers'])).not.toContain('model:');
    }
  });

  test('must be one that the key may use', async () => {
    const { value } = await makeKey(house, { allowedModels: ['CORE-GOV'] });
    for (const [model, key, status] of [
      ['nobody', house.key, 400],
      ['CORE-GOV-THINK', value, 400],
      ['CORE-GOV', value, 200],
    ] as const)
      expect((await mask({ recognizer_model: model }, key)).status).toBe(status);
  });
});
