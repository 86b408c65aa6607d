import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallFinder, type Piece, type ToolDefinition } from './index.ts';

const tools: ToolDefinition[] = [
  {
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
    },
  },
  { function: { name: 'now', parameters: { type: 'object', properties: {} } } },
];

interface Read {
  content: string;
  calls: { name: string; arguments: string }[];
}

function join(pieces: readonly Piece[]): Read {
  const read: Read = { content: '', calls: [] };
  for (const piece of pieces) {
    if (piece.type === 'tool_call') read.calls.push({ name: piece.name, arguments: '' });
    else if (piece.type === 'tool_arguments') {
      const call = read.calls[piece.call];
      if (!call) throw new Error('arguments of a call that did not begin');
      call.arguments += piece.text;
    } else read.content += piece.text;
  }
  return read;
}

function read(pieces: readonly string[]): Read {
  const finder = new CallFinder(() => tools);
  const found = pieces.flatMap((piece) => finder.push(piece));
  return join([...found, ...finder.end()]);
}

const seoul = { name: 'get_weather', arguments: '{"city": "서울", "days": 3}' };
const compact = { name: 'get_weather', arguments: '{"city":"서울","days":3}' };
const now = { name: 'now', arguments: '{}' };
const json = (key: string, call = seoul) => `{"name": "${call.name}", "${key}": ${call.arguments}}`;

const qwenXml = `<function=get_weather>
<parameter=city>
서울
</parameter>
<parameter=days>
3
</parameter>
</function>`;

/** Replies in the forms that the families' published templates have. */
const cases: readonly [string, string, Partial<Read>][] = [
  ['Hermes', `<tool_call>\n${json('arguments')}\n</tool_call>`, { calls: [seoul] }],
  [
    'Hermes, two calls after text',
    `확인합니다.\n\n<tool_call>\n${json('arguments')}\n</tool_call>\n<tool_call>\n${json('arguments', now)}\n</tool_call>`,
    { content: '확인합니다.', calls: [seoul, now] },
  ],
  [
    'Kimi K2, two calls after text',
    `네.<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${seoul.arguments}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>`,
    { content: '네.', calls: [seoul, now] },
  ],
  ['LFM', '<|tool_call_start|>[get_weather(city="서울", days=3), now()]<|tool_call_end|>', { calls: [compact, now] }],
  ['Seed-OSS', `<seed:tool_call>\n${qwenXml}\n</seed:tool_call>`, { calls: [compact] }],
  [
    'Solar Open',
    `<|tool_calls|><|tool_call:begin|>a1<|tool_call:name|>get_weather<|tool_call:args|>${seoul.arguments}<|tool_call:end|><|calls|>`,
    { calls: [seoul] },
  ],
  [
    'DeepSeek V3.2',
    '네.\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">서울</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    { content: '네.', calls: [compact] },
  ],
  [
    'MiniMax M2',
    '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">서울</parameter>\n<parameter name="days">3</parameter>\n</invoke>\n</minimax:tool_call>',
    { calls: [compact] },
  ],
  [
    'Command R7B, two calls after text',
    `네.<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": ${seoul.arguments}},\n    {"tool_call_id": "1", "tool_name": "now", "parameters": {}}\n]<|END_ACTION|>`,
    { content: '네.', calls: [seoul, now] },
  ],
  [
    'LFM, a mark that is spoken of',
    'It begins with `<|tool_call_start|>`, then a list.',
    { content: 'It begins with `<|tool_call_start|>`, then a list.' },
  ],
  ['Hermes, a call without arguments', '<tool_call>{"name": "now"}</tool_call>', { calls: [now] }],
  [
    'Hermes, cut',
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "서',
    { calls: [{ name: 'get_weather', arguments: '{"city": "서' }] },
  ],
  ['Qwen XML', `<tool_call>\n${qwenXml}\n</tool_call>`, { calls: [compact] }],
  ['Qwen XML without its first mark', `네.\n${qwenXml}\n</tool_call>`, { content: '네.', calls: [compact] }],
  [
    'Qwen XML, two calls',
    `<tool_call>\n${qwenXml}\n</tool_call>\n<tool_call>\n<function=now>\n</function>\n</tool_call>`,
    { calls: [compact, now] },
  ],
  ['Llama JSON', json('parameters'), { calls: [seoul] }],
  ['Llama JSON, after white space', `\n${json('parameters')}`, { calls: [seoul] }],
  ['Llama JSON, two calls', `${json('parameters')}; ${json('parameters', now)}`, { calls: [seoul, now] }],
  ['Llama, after its mark', `<|python_tag|>${json('parameters')}<|eom_id|>`, { calls: [seoul] }],
  ['Llama, a name in a tag', `<function=get_weather>${seoul.arguments}</function>`, { calls: [seoul] }],
  ['Mistral, a list', `[TOOL_CALLS][${json('arguments')}, ${json('arguments', now)}]`, { calls: [seoul, now] }],
  [
    'Mistral, names before arguments',
    `[TOOL_CALLS]get_weather[ARGS]${seoul.arguments}[TOOL_CALLS]now[ARGS]{}`,
    { calls: [seoul, now] },
  ],
  ['Mistral, with an id', `[TOOL_CALLS]get_weather[CALL_ID]abc123def[ARGS]${seoul.arguments}`, { calls: [seoul] }],
  [
    'DeepSeek',
    `네.\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${seoul.arguments}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    { content: '네.', calls: [seoul] },
  ],
  [
    'GLM',
    '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>서울</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>',
    { calls: [compact] },
  ],
  ['GLM, without arguments', '<tool_call>now\n</tool_call>', { calls: [now] }],
  ['Phi', `<|tool_call|>[${json('arguments')}]<|/tool_call|>`, { calls: [seoul] }],
  ['HyperCLOVA X', ` -> tool/function_call\n[${json('arguments')}]`, { calls: [seoul] }],
  ['HyperCLOVA X, after thinking', `-> tool/function_call\n[${json('arguments')}]`, { calls: [seoul] }],
  ['HyperCLOVA X, after text', `네. -> tool/function_call\n[${json('arguments')}]`, { content: '네.', calls: [seoul] }],
];

/** Texts that are no calls, whatever they look like. */
const texts: readonly string[] = [
  '',
  ' \n',
  '안녕하세요.\n\n무엇을 도와드릴까요? \n',
  '<tool_call> 태그는 이렇게 쓴다.',
  'a <tool_call',
  '<tool_call>',
  '<tool_call>\n',
  '<tool_call>{"no": 1}</tool_call>',
  '<tool_call>{broken',
  '`<tool_call>{"name": "now"}</tool_call>`',
  '<tool_call>unknown\n<arg_key>a</arg_key></tool_call>',
  '<function=unknown>\n<parameter=a>\n1\n</parameter>\n</function>',
  '<function=now> is how it begins',
  '<function=no',
  '{"title": "보고서", "name": "now"}',
  ' {"name": "unknown", "parameters": {}}',
  '{ "a": 1 }',
  '[TOOL_CALLS] is a mark',
  '[TOOL_CALLS]get_weather and more',
  '[1, 2] <b>굵게</b> [링크](https://x) - 목록',
  '<|python_tag|>print(1)',
  '- 하나\n- 둘',
  '-> 다음',
  '-> tool/function_call\nnone',
  'a -> b',
  '</think><s>[INST]',
];

function expectAnyCut(text: string, wanted: Read) {
  expect(read([text])).toEqual(wanted);
  expect(read(text.match(/[^]/g) ?? [])).toEqual(wanted);
  for (let cut = 1; cut < text.length; cut++) expect(read([text.slice(0, cut), text.slice(cut)])).toEqual(wanted);
}

describe('an answer in which an engine left calls, cut anywhere', () => {
  it.each(cases)('%s', (_name, text, wanted) => expectAnyCut(text, { content: '', calls: [], ...wanted }));

  it.each(texts)('%j is text', (text) => expectAnyCut(text, { content: text, calls: [] }));

  it('is read the same whatever it holds', () => {
    const parts = fc.constantFrom(
      '<tool_call>',
      '</tool_call>',
      '<function=',
      'now',
      '>',
      '{"name": "now"',
      ', "arguments": {}}',
      '}',
      '[',
      ']',
      '[TOOL_CALLS]',
      '[ARGS]',
      '{}',
      '<|python_tag|>',
      ' ',
      '\n',
      '답',
      '`',
      ';',
      '<arg_key>',
      ' -> tool/function_call\n',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 15 }), (pieces) => {
        const text = pieces.join('');
        const whole = read([text]);
        expect(read(pieces)).toEqual(whole);
        expect(read(text.match(/[^]/g) ?? [])).toEqual(whole);
        if (whole.calls.length === 0) expect(whole.content).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });
});
