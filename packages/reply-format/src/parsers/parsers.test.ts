import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GENERIC, familyOf } from './family.ts';
import { type Piece, type ToolDefinition, createOutputParser } from './index.ts';

const tools: ToolDefinition[] = [
  {
    function: {
      name: 'get_weather',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          days: { type: 'integer' },
          zip: { type: 'string' },
          note: { type: ['string', 'null'] },
        },
      },
    },
  },
  { function: { name: 'now', parameters: { type: 'object', properties: {} } } },
];

interface Read {
  reasoning: string;
  content: string;
  calls: { name: string; arguments: string }[];
}

function join(pieces: readonly Piece[]): Read {
  const read: Read = { reasoning: '', content: '', calls: [] };
  for (const piece of pieces) {
    if (piece.type === 'tool_call') {
      expect(piece.call).toBe(read.calls.length);
      read.calls.push({ name: piece.name, arguments: '' });
    } else if (piece.type === 'tool_arguments') {
      const call = read.calls[piece.call];
      expect(call).toBeDefined();
      if (call) call.arguments += piece.text;
    } else read[piece.type] += piece.text;
  }
  return read;
}

interface Options {
  readonly source: string;
  readonly thinkingOpen?: boolean;
  readonly withTools?: boolean;
}

function read(
  text: string,
  { source, thinkingOpen = false, withTools = true }: Options,
  cuts?: readonly number[],
): Read {
  const parser = createOutputParser({ family: familyOf(source), thinkingOpen, tools: withTools ? tools : null });
  const at = cuts ? [...cuts, text.length] : Array.from({ length: text.length }, (_, i) => i + 1);
  const pieces: Piece[] = [];
  let from = 0;
  for (const to of at) {
    pieces.push(...parser.push(text.slice(from, to)));
    from = to;
  }
  return join([...pieces, ...parser.end()]);
}

/** What stands in the templates of the families and tells them apart. */
const sources = {
  qwen: '<|im_start|> <tool_call> enable_thinking',
  coder: '<|im_start|> <tool_call> <function= <parameter=',
  llama: '<|start_header_id|> <|python_tag|>',
  mistral: '[INST] [TOOL_CALLS]',
  mistralArgs: '[INST] [TOOL_CALLS] [ARGS]',
  deepseek: '<｜Assistant｜> <｜tool▁calls▁begin｜>',
  glm: '[gMASK]<sop> <arg_key> <tool_call>',
  gptOss: '<|start|> <|channel|>',
  phi: '<|tool|> <|assistant|>',
  hyperclova: '<|im_start|> -> tool/function_call',
  exaone: '[|assistant|] <tool_call>',
  exaoneDeep: '[|assistant|] <thought>',
  gemma: '<start_of_turn>',
  gemma4: '<|turn> <|tool_call>',
  midm: '<|start_header_id|> <tool_call>',
  seed: '<seed:bos> <seed:tool_call> <function= <parameter=',
  lfm: '<|im_start|> <|tool_call_start|>',
  kimi: '<|im_assistant|> <|tool_calls_section_begin|>',
  solar: '<|begin|>assistant <|tool_call:begin|>',
  dsml: '<｜Assistant｜> ｜DSML｜',
  minimax: ']~b] <minimax:tool_call>',
  command: '<|START_OF_TURN_TOKEN|> <|START_ACTION|>[ <|START_THINKING|>',
  generic: '{{ messages }}',
};

const seoul = { name: 'get_weather', arguments: '{"city": "서울", "days": 3}' };
const nowCall = { name: 'now', arguments: '{}' };
const both = [seoul, nowCall];

type Case = readonly [string, string, Options, Partial<Read>];

const cases: readonly Case[] = [
  [
    'plain text',
    '안녕하세요!\n무엇을 도와드릴까요?',
    { source: sources.qwen },
    { content: '안녕하세요!\n무엇을 도와드릴까요?' },
  ],
  [
    'thinking, then an answer',
    '<think>\n생각 중\n</think>\n\n답입니다.',
    { source: sources.qwen },
    { reasoning: '생각 중', content: '답입니다.' },
  ],
  [
    'thinking that the prompt opened',
    '생각 중\n</think>\n\n답',
    { source: sources.qwen, thinkingOpen: true },
    { reasoning: '생각 중', content: '답' },
  ],
  ['thinking that is cut', '<think>생각 중', { source: sources.qwen }, { reasoning: '생각 중' }],
  ['empty thinking', '<think>\n\n</think>\n\n답', { source: sources.qwen }, { content: '답' }],
  [
    'a tag later in the text is text',
    'The tag <think> opens.',
    { source: sources.qwen },
    { content: 'The tag <think> opens.' },
  ],
  [
    'Hermes calls after thinking and text',
    '<think>날씨?</think>\n확인합니다.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "서울", "days": 3}}\n</tool_call>\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
    { source: sources.qwen },
    { reasoning: '날씨?', content: '확인합니다.', calls: both },
  ],
  [
    'Seed-OSS: thinking of its own tags, two calls, a text of lines',
    '<seed:think>날씨?</seed:think>확인합니다.\n<seed:tool_call>\n<function=get_weather>\n<parameter=city>서울</parameter>\n<parameter=days>3</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=now>\n</function>\n</seed:tool_call><seed:eos>',
    { source: sources.seed },
    {
      reasoning: '날씨?',
      content: '확인합니다.',
      calls: [{ ...seoul, arguments: '{"city":"서울","days":3}' }, nowCall],
    },
  ],
  [
    'LFM: calls as Python writes them, after thinking and text',
    "<think>날씨?</think>확인합니다.<|tool_call_start|>[get_weather(city='서울', days=3, note=None), now()]<|tool_call_end|><|im_end|>",
    { source: sources.lfm },
    {
      reasoning: '날씨?',
      content: '확인합니다.',
      calls: [{ ...seoul, arguments: '{"city":"서울","days":3,"note":null}' }, nowCall],
    },
  ],
  [
    'LFM: values of every kind',
    '<|tool_call_start|>[Calendar.add(a="print(\\"hi\\")\\n\\uac00\\x41\\q", b={"x": True, \'y\': (1, -2.5,)}, c=[], d=a.b)]<|tool_call_end|>',
    { source: sources.lfm },
    {
      calls: [
        {
          name: 'Calendar.add',
          arguments: '{"a":"print(\\"hi\\")\\n가A\\\\q","b":{"x": true, "y": [1, -2.5]},"c":[],"d":"a.b"}',
        },
      ],
    },
  ],
  [
    'LFM: a call that is cut',
    '<|tool_call_start|>[get_weather(city="서',
    { source: sources.lfm },
    { calls: [{ name: 'get_weather', arguments: '{"city":"서' }] },
  ],
  [
    'LFM: what is no list of calls is text',
    '<|tool_call_start|>[1, 2]<|tool_call_end|>',
    { source: sources.lfm },
    { content: '<|tool_call_start|>[1, 2]<|tool_call_end|>' },
  ],
  [
    'Kimi K2: two calls of a section, with text before',
    '네.<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "서울", "days": 3}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|><|tool_call_end|><|tool_calls_section_end|><|im_end|>',
    { source: sources.kimi },
    { content: '네.', calls: both },
  ],
  [
    'Kimi K2: a section without its end',
    '<|tool_calls_section_begin|><|tool_call_begin|>get_weather<|tool_call_argument_begin|>{"city": "서울", "days": 3}',
    { source: sources.kimi },
    { calls: [seoul] },
  ],
  [
    'Solar Open: messages of thinking and answer',
    '<|think|>날씨?<|end|><|begin|>assistant<|content|>맑습니다.<|end|>',
    { source: sources.solar },
    { reasoning: '날씨?', content: '맑습니다.' },
  ],
  [
    'Solar Open: calls after thinking',
    '<|think|>날씨?<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>get_weather<|tool_call:args|>{"city": "서울", "days": 3}<|tool_call:end|><|tool_call:begin|>b2<|tool_call:name|>now<|tool_call:args|>{}<|tool_call:end|><|calls|>',
    { source: sources.solar },
    { reasoning: '날씨?', calls: both },
  ],
  [
    'DeepSeek V3.2: calls whose values say whether they are texts',
    '생각</think>네.\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="zip" string="true">03000</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="now">\n</｜DSML｜invoke>\n</｜DSML｜function_calls><｜end▁of▁sentence｜>',
    { source: sources.dsml, thinkingOpen: true },
    { reasoning: '생각', content: '네.', calls: [{ ...seoul, arguments: '{"zip":"03000","days":3}' }, nowCall] },
  ],
  [
    'MiniMax M2: two calls of one block',
    '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">서울</parameter>\n<parameter name="days">3</parameter>\n</invoke>\n<invoke name="now">\n</invoke>\n</minimax:tool_call>',
    { source: sources.minimax },
    { calls: [{ ...seoul, arguments: '{"city":"서울","days":3}' }, nowCall] },
  ],
  [
    'Command R7B: two calls after thinking',
    '<|START_THINKING|>날씨?<|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "서울", "days": 3}},\n    {"tool_call_id": "1", "tool_name": "now", "parameters": {}}\n]<|END_ACTION|><|END_OF_TURN_TOKEN|>',
    { source: sources.command },
    { reasoning: '날씨?', calls: both },
  ],
  [
    'Command R7B: an answer between its marks',
    '날씨?<|END_THINKING|><|START_RESPONSE|>맑습니다.<|END_RESPONSE|><|END_OF_TURN_TOKEN|>',
    { source: sources.command, thinkingOpen: true },
    { reasoning: '날씨?', content: '맑습니다.' },
  ],
  [
    'Command R7B: a call that is cut',
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "서',
    { source: sources.command },
    { calls: [{ name: 'get_weather', arguments: '{"city": "서' }] },
  ],
  [
    'Command R7B: what names no tool is text',
    '<|START_ACTION|>[{"name": "now"}]<|END_ACTION|>',
    { source: sources.command },
    { content: '<|START_ACTION|>[{"name": "now"}]<|END_ACTION|>' },
  ],
  [
    'Mi:dm: calls of Hermes in turns of Llama',
    '<tool_call>{"name": "get_weather", "arguments": {"city": "서울", "days": 3}}</tool_call>\n<tool_call>{"name": "now", "parameters": {}}</tool_call><|eot_id|>',
    { source: sources.midm },
    { calls: both },
  ],
  [
    'Gemma 4 calls after thinking and text',
    '<|channel>thought\n날씨?<channel|>확인합니다.<|tool_call>call:get_weather{city:<|"|>서울<|"|>,days:3}<tool_call|><|tool_call>call:now{}<tool_call|><|tool_response>',
    { source: sources.gemma4 },
    {
      reasoning: '날씨?',
      content: '확인합니다.',
      calls: [{ name: 'get_weather', arguments: '{"city":"서울","days":3}' }, nowCall],
    },
  ],
  [
    'Gemma 4 texts may hold any mark, and arguments may be JSON',
    '<|tool_call>call:get_weather{city:<|"|>a "b" {<tool_call|>}, c\n<|"|>,note:null}<tool_call|>\n<|tool_call>call:get_weather{"city": "\\"<tool_call|>", "days": [1, {"x": true}]}<tool_call|>',
    { source: sources.gemma4 },
    {
      calls: [
        { name: 'get_weather', arguments: '{"city":"a \\"b\\" {<tool_call|>}, c\\n","note":null}' },
        { name: 'get_weather', arguments: '{"city":"\\"<tool_call|>","days":[1,{"x":true}]}' },
      ],
    },
  ],
  [
    'Gemma 4 arguments that are broken or cut are handed on as they were written',
    '<|tool_call>call:now{a:1,,}<tool_call|><|tool_call>call:get_weather{city:<|"|>서',
    { source: sources.gemma4 },
    {
      calls: [
        { name: 'now', arguments: '{a:1,,}' },
        { name: 'get_weather', arguments: '{city:<|"|>서' },
      ],
    },
  ],
  [
    'what names no tool in the form of Gemma 4 is text',
    '<|tool_call>nothing<tool_call|> 끝',
    { source: sources.gemma4 },
    { content: '<|tool_call>nothing<tool_call|> 끝' },
  ],
  ['Gemma 4 without thinking', '답입니다.<turn|>', { source: sources.gemma4 }, { content: '답입니다.' }],
  [
    'a call cut at the limit',
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "서',
    { source: sources.qwen },
    { calls: [{ name: 'get_weather', arguments: '{"city": "서' }] },
  ],
  [
    'arguments before the name',
    '<tool_call>{"arguments": {"city": "서울", "days": 3}, "name": "get_weather"}</tool_call>',
    { source: sources.qwen },
    { calls: [seoul] },
  ],
  [
    'arguments as a string',
    '<tool_call>{"name": "now", "arguments": "{}"}</tool_call>',
    { source: sources.qwen },
    { calls: [nowCall] },
  ],
  ['no arguments', '<tool_call>{"name": "now"}</tool_call>', { source: sources.qwen }, { calls: [nowCall] }],
  [
    'what looks like a call without tools',
    '<tool_call>{"name": "now"}</tool_call>',
    { source: sources.qwen, withTools: false },
    { content: '<tool_call>{"name": "now"}</tool_call>' },
  ],
  [
    'a broken call is text',
    'a <tool_call>oops</tool_call> b',
    { source: sources.qwen },
    { content: 'a <tool_call>oops</tool_call> b' },
  ],
  [
    'a call without a name is text',
    '<tool_call>{"city": 1}',
    { source: sources.qwen },
    { content: '<tool_call>{"city": 1}' },
  ],
  ['control tokens', 'a<|im_end|>\n<|im_start|>b', { source: sources.qwen }, { content: 'a\nb' }],
  [
    'Qwen Coder',
    '확인\n<tool_call>\n<function=get_weather>\n<parameter=city>\n서울\n</parameter>\n<parameter=days>\n3\n</parameter>\n<parameter=zip>\n04524\n</parameter>\n</function>\n</tool_call>',
    { source: sources.coder },
    { content: '확인', calls: [{ name: 'get_weather', arguments: '{"city":"서울","days":3,"zip":"04524"}' }] },
  ],
  [
    'Qwen Coder, a string that may be null',
    '<tool_call>\n<function=get_weather>\n<parameter=note>\n123\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=get_weather>\n<parameter=note>\nnull\n</parameter>\n</function>\n</tool_call>',
    { source: sources.coder },
    {
      calls: [
        { name: 'get_weather', arguments: '{"note":"123"}' },
        { name: 'get_weather', arguments: '{"note":null}' },
      ],
    },
  ],
  [
    'control tokens in thinking',
    '<think>a<|im_end|>b<｜User｜></think>c<|begin_of_text|>',
    { source: sources.qwen },
    { reasoning: 'ab', content: 'c' },
  ],
  [
    'Llama',
    '{"name": "get_weather", "parameters": {"city": "서울", "days": 3}}',
    { source: sources.llama },
    { calls: [seoul] },
  ],
  [
    'Llama, several, with its tag',
    '<|python_tag|>{"name": "get_weather", "parameters": {"city": "서울", "days": 3}}; {"name": "now", "parameters": {}}<|eom_id|>',
    { source: sources.llama },
    { calls: both },
  ],
  ['Llama, JSON that is no call', '{"city": "서울"}', { source: sources.llama }, { content: '{"city": "서울"}' }],
  [
    'Mistral, a list',
    '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "서울", "days": 3}}, {"name": "now", "arguments": {}}]</s>',
    { source: sources.mistral },
    { calls: both },
  ],
  [
    'Mistral, names first',
    '[TOOL_CALLS]get_weather[ARGS]{"city": "서울", "days": 3}[TOOL_CALLS]now[CALL_ID]123[ARGS]{}',
    { source: sources.mistralArgs },
    { calls: both },
  ],
  ['Mistral, thinking', '[THINK]음[/THINK]답', { source: sources.mistralArgs }, { reasoning: '음', content: '답' }],
  [
    'DeepSeek V3 and R1',
    '<think>음</think><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "서울", "days": 3}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    { source: sources.deepseek },
    { reasoning: '음', calls: both },
  ],
  [
    'DeepSeek V3.1',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "서울", "days": 3}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { source: sources.deepseek },
    { calls: [seoul] },
  ],
  [
    'GLM',
    '\n<think>음</think>\n<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>서울</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>\n<tool_call>now\n</tool_call>',
    { source: sources.glm },
    { reasoning: '음', calls: [{ name: 'get_weather', arguments: '{"city":"서울","days":3}' }, nowCall] },
  ],
  [
    'Phi',
    '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "서울", "days": 3}}]<|/tool_call|>',
    { source: sources.phi },
    { calls: [seoul] },
  ],
  [
    'HyperCLOVA X',
    ' -> tool/function_call\n[{"name": "get_weather", "arguments": {"city": "서울", "days": 3}}]',
    { source: sources.hyperclova },
    { calls: [seoul] },
  ],
  [
    'HyperCLOVA X, thinking, then an answer',
    '/think\n먼저 생각합니다.<|im_end|>\n<|im_start|>assistant\n안녕하세요',
    { source: sources.hyperclova },
    { reasoning: '먼저 생각합니다.', content: '안녕하세요' },
  ],
  [
    'HyperCLOVA X, thinking, then a call',
    '/think\n날씨?<|im_end|>\n<|im_start|>assistant -> tool/function_call\n[{"name": "now", "arguments": {}}]',
    { source: sources.hyperclova },
    { reasoning: '날씨?', calls: [nowCall] },
  ],
  ['HyperCLOVA X, an answer', '\n안녕하세요', { source: sources.hyperclova }, { content: '안녕하세요' }],
  [
    'EXAONE',
    '<think>\n음\n</think>\n\n<tool_call>{"name": "now", "arguments": {}}</tool_call>',
    { source: sources.exaone },
    { reasoning: '음', calls: [nowCall] },
  ],
  [
    'EXAONE Deep',
    '<thought>\n음\n</thought>\n\n답[|endofturn|]',
    { source: sources.exaoneDeep },
    { reasoning: '음', content: '답' },
  ],
  ['Gemma', '네.<end_of_turn>', { source: sources.gemma }, { content: '네.' }],
  [
    'harmony',
    '<|channel|>analysis<|message|>음<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "서울", "days": 3}<|call|>',
    { source: sources.gptOss },
    { reasoning: '음', calls: [seoul] },
  ],
  [
    'harmony, an answer',
    '<|channel|>analysis<|message|>음<|end|><|start|>assistant<|channel|>final<|message|>답입니다.<|return|>',
    { source: sources.gptOss },
    { reasoning: '음', content: '답입니다.' },
  ],
  [
    'arguments that are no JSON are handed on as they are',
    '<tool_call>\n{"name": "now", "arguments": oops, not json}\n</tool_call>',
    { source: sources.qwen },
    { calls: [{ name: 'now', arguments: 'oops, not json' }] },
  ],
  [
    'arguments that are no object',
    '<tool_call>{"name": "now", "arguments": "서울"}</tool_call><tool_call>{"name": "now", "arguments": [1, {"a": 2}], "id": "x"}</tool_call><tool_call>{"name": "now", "arguments": null}</tool_call>',
    { source: sources.qwen },
    {
      calls: [
        { name: 'now', arguments: '"서울"' },
        { name: 'now', arguments: '[1, {"a": 2}]' },
        { name: 'now', arguments: '{}' },
      ],
    },
  ],
  [
    'a broken string does not take the rest of the reply in',
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "서"울"}}\n</tool_call>\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
    { source: sources.qwen },
    { calls: [{ name: 'get_weather', arguments: '{"city": "서"울"}}\n' }, nowCall] },
  ],
  [
    'the closing mark within a string is text',
    '<tool_call>{"name": "get_weather", "arguments": {"city": "</tool_call> <", "days": 3}}</tool_call>',
    { source: sources.qwen },
    { calls: [{ name: 'get_weather', arguments: '{"city": "</tool_call> <", "days": 3}' }] },
  ],
  [
    'a call whose arguments are keys of its own is text',
    '<tool_call>{"name": "get_weather", "city": "서울"}</tool_call>',
    { source: sources.qwen },
    { content: '<tool_call>{"name": "get_weather", "city": "서울"}</tool_call>' },
  ],
  [
    'what follows the calls of a list that breaks is text',
    '[TOOL_CALLS][{"name": "now", "arguments": {}}, {"city": "서울"}] 끝',
    { source: sources.mistral },
    { calls: [nowCall], content: ', {"city": "서울"}] 끝' },
  ],
  [
    'Mistral, a name without arguments',
    '[TOOL_CALLS]now[ARGS]oops',
    { source: sources.mistralArgs },
    { content: '[TOOL_CALLS]now[ARGS]oops' },
  ],
  ...(['llama', 'mistral', 'mistralArgs', 'generic'] as const).flatMap((name): Case[] => [
    [
      `a code block (${name})`,
      '확인합니다.\n```json\n{"name": "get_weather", "parameters": {"city": "서울", "days": 3}}\n```\n```json\n[{"name": "now", "arguments": {}}]\n```\n끝',
      { source: sources[name] },
      { content: '확인합니다.끝', calls: both },
    ],
    [
      `a name in a tag (${name})`,
      '<function=get_weather>{"city": "서울", "days": 3}</function>\n<function=now>{}</function>',
      { source: sources[name] },
      { calls: both },
    ],
    [
      `code blocks and tags that name no tool (${name})`,
      'a\n```json\n{"name": "Kim", "arguments": {}}\n```\n```json\n{"city": 1}\n```\n<function=nowhere>{}</function> <function=now>oops',
      { source: sources[name] },
      {
        content:
          'a\n```json\n{"name": "Kim", "arguments": {}}\n```\n```json\n{"city": 1}\n```\n<function=nowhere>{}</function> <function=now>oops',
      },
    ],
  ]),
  [
    'a code block where the form of the family is known',
    '```json\n{"name": "now", "arguments": {}}\n```',
    { source: sources.qwen },
    { content: '```json\n{"name": "now", "arguments": {}}\n```' },
  ],
  [
    'Llama, an answer in JSON that has a name',
    '{"name": "Kim", "parameters": {}}',
    { source: sources.llama },
    { content: '{"name": "Kim", "parameters": {}}' },
  ],
  [
    'Qwen Coder without its first mark, and with code as a value',
    '<function=get_weather>\n<parameter=city>\n\nif (a < b) {\n  "x\\n"\n}\n</tool_call>\n\n</parameter>\n<parameter=days>\n{"a":\n1}</parameter>\n</function>\n</tool_call>끝',
    { source: sources.coder },
    {
      content: '끝',
      calls: [
        {
          name: 'get_weather',
          arguments: JSON.stringify({ city: '\nif (a < b) {\n  "x\\n"\n}\n</tool_call>\n', days: { a: 1 } }),
        },
      ],
    },
  ],
  [
    'Qwen Coder, cut within a text',
    '<tool_call>\n<function=get_weather>\n<parameter=city>\n서"',
    { source: sources.coder },
    { calls: [{ name: 'get_weather', arguments: '{"city":"서\\"' }] },
  ],
  [
    'Qwen Coder, a call that breaks off',
    '<tool_call>\n<function=get_weather>\n<parameter=city>\n서울\n</parameter>\noops',
    { source: sources.coder },
    { content: 'oops', calls: [{ name: 'get_weather', arguments: '{"city":"서울"}' }] },
  ],
  [
    'Qwen Coder, no call',
    '<tool_call>\noops</tool_call>',
    { source: sources.coder },
    { content: '<tool_call>\noops</tool_call>' },
  ],
  [
    'GLM, values of other types, a key that no schema knows, and none at all',
    '<tool_call>get_weather\n<arg_key>zip</arg_key>\n<arg_value>04</arg_value>\n<arg_key>days</arg_key>\n<arg_value>True</arg_value>\n<arg_key>more</arg_key>\n<arg_value>한 줄\n</arg_value>\n</tool_call>',
    { source: sources.glm },
    { calls: [{ name: 'get_weather', arguments: '{"zip":"04","days":true,"more":"한 줄\\n"}' }] },
  ],
  ['GLM, a name alone, cut', '<tool_call>now', { source: sources.glm }, { calls: [nowCall] }],
  [
    'DeepSeek, arguments that are no JSON',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\noops\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { source: sources.deepseek },
    { calls: [{ name: 'now', arguments: 'oops' }] },
  ],
  [
    'DeepSeek, a broken call is text',
    'a <｜tool▁calls▁begin｜>oops<｜tool▁calls▁end｜>',
    { source: sources.deepseek },
    { content: 'a <｜tool▁calls▁begin｜>oops<｜tool▁calls▁end｜>' },
  ],
  [
    'DeepSeek, text after a call',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜> oops',
    { source: sources.deepseek },
    { calls: [nowCall], content: 'oops' },
  ],
  [
    'DeepSeek, calls without arguments',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜><｜tool▁call▁end｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { source: sources.deepseek },
    { calls: [nowCall, nowCall] },
  ],
  [
    'DeepSeek, calls that end at once, text after them',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁calls▁end｜> 끝',
    { source: sources.deepseek },
    { content: '끝', calls: [nowCall] },
  ],
  [
    'DeepSeek, text after the end of all calls',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>끝',
    { source: sources.deepseek },
    { content: '끝', calls: [nowCall] },
  ],
  [
    'DeepSeek, white space around and within arguments',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜> {\n "a":\n 1} <｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { source: sources.deepseek },
    { calls: [{ name: 'now', arguments: '{\n "a":\n 1}' }] },
  ],
  [
    'DeepSeek, cut within the name',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁',
    { source: sources.deepseek },
    { content: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁' },
  ],
  [
    'DeepSeek, cut within the mark after the arguments',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call',
    { source: sources.deepseek },
    { calls: [nowCall] },
  ],
  [
    'DeepSeek, cut within the mark after a call',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁e',
    { source: sources.deepseek },
    { calls: [nowCall] },
  ],
  [
    'DeepSeek, a second call that is cut',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>get',
    { source: sources.deepseek },
    { content: '\n<｜tool▁call▁begin｜>get', calls: [nowCall] },
  ],
  [
    'DeepSeek, a second call that is none',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁call▁begin｜>get weather<｜tool▁sep｜>{}<｜tool▁call▁end｜>',
    { source: sources.deepseek },
    { content: '<｜tool▁call▁begin｜>get weather<｜tool▁sep｜>{}<｜tool▁call▁end｜>', calls: [nowCall] },
  ],
  [
    'DeepSeek, a code block after a name of the newer form',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>a\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { source: sources.deepseek },
    { calls: [{ name: 'now', arguments: 'a\n```' }] },
  ],
  [
    'a call that says more than name and arguments',
    '<tool_call>{"id": "1", "type": "function", "index": 0, "call_id": "2", "name": "now"}</tool_call>',
    { source: sources.qwen },
    { calls: [nowCall] },
  ],
  [
    'a call with a key of its own, and one without arguments',
    '[TOOL_CALLS][{"name": "now", "why \\"name\\": \\\\": 1, "arguments": {}}, {"name": "now"}]',
    { source: sources.mistral },
    { calls: [nowCall, nowCall] },
  ],
  [
    'arguments as a string that holds an object',
    '<tool_call>{"name": "now", "arguments": "{\\"city\\": \\"서울\\"}"}</tool_call>',
    { source: sources.qwen },
    { calls: [{ name: 'now', arguments: '{"city": "서울"}' }] },
  ],
  [
    'arguments before the name, more after it, cut',
    '<tool_call>{"arguments": {}, "name": "now", "id": "1',
    { source: sources.qwen },
    { content: ' "id": "1', calls: [nowCall] },
  ],
  [
    'a call that is cut after its arguments',
    '<tool_call>{"name": "now", "arguments": {"a": 1} ',
    { source: sources.qwen },
    { calls: [{ name: 'now', arguments: '{"a": 1}' }] },
  ],
  [
    'brackets that are broken within arguments',
    '<tool_call>{"name": "now", "arguments": {"a": [1}}</tool_call><tool_call>{"name": "now", "arguments": {"a": 1]}}</tool_call>',
    { source: sources.qwen },
    {
      calls: [
        { name: 'now', arguments: '{"a": [1}' },
        { name: 'now', arguments: '{"a": 1]}' },
      ],
    },
  ],
  [
    'arguments that are no JSON, cut',
    '[TOOL_CALLS][{"name": "now", "arguments": oops',
    { source: sources.mistral },
    { calls: [{ name: 'now', arguments: 'oops' }] },
  ],
  [
    'arguments that are no JSON, cut within the closing mark',
    '<tool_call>{"name": "now", "arguments": oops</tool',
    { source: sources.qwen },
    { calls: [{ name: 'now', arguments: 'oops</tool' }] },
  ],
  [
    'a list that is cut after a call',
    '[TOOL_CALLS][{"name": "now", "arguments": {}},',
    { source: sources.mistral },
    { calls: [nowCall] },
  ],
  [
    'a list that is cut within a call',
    '[TOOL_CALLS][{"name": "now", "arguments": {}}, {"name": "now", "argu',
    { source: sources.mistral },
    { content: ', {"name": "now", "argu', calls: [nowCall] },
  ],
  [
    'a list with text in it',
    '[TOOL_CALLS][{"name": "now", "arguments": {}} oops]',
    { source: sources.mistral },
    { content: 'oops]', calls: [nowCall] },
  ],
  [
    'a list that is cut within the mark after it',
    '<|tool_call|>[{"name": "now", "arguments": {}}]<|/tool_c',
    { source: sources.phi },
    { calls: [nowCall] },
  ],
  [
    'a second call without a mark',
    '<tool_call>{"name": "now"}{"name": "now"}</tool_call>',
    { source: sources.qwen },
    { content: '{"name": "now"}</tool_call>', calls: [nowCall] },
  ],
  [
    'a call without a name that is cut is text',
    '<tool_call>{"arguments": {"city": "서',
    { source: sources.qwen },
    { content: '<tool_call>{"arguments": {"city": "서' },
  ],
  [
    'a call that breaks after its arguments is text',
    '<tool_call>{"arguments": {"city": 1}, oops}</tool_call>',
    { source: sources.qwen },
    { content: '<tool_call>{"arguments": {"city": 1}, oops}</tool_call>' },
  ],
  [
    'a call whose mark ends it before its name is text',
    '<tool_call>{"arguments": {"city": "서\n</tool_call> 끝',
    { source: sources.qwen },
    { content: '<tool_call>{"arguments": {"city": "서\n</tool_call> 끝' },
  ],
  [
    'a call with an empty name is text',
    '<tool_call>{"name": "", "arguments": {}}</tool_call>',
    { source: sources.qwen },
    { content: '<tool_call>{"name": "", "arguments": {}}</tool_call>' },
  ],
  [
    'a call with a number as its name is text',
    '<tool_call>{"name": 7, "arguments": {}}</tool_call>',
    { source: sources.qwen },
    { content: '<tool_call>{"name": 7, "arguments": {}}</tool_call>' },
  ],
  [
    'a key without a value is text',
    '<tool_call>{"name": "now", "arguments", {}}</tool_call>',
    { source: sources.qwen },
    { content: '<tool_call>{"name": "now", "arguments", {}}</tool_call>' },
  ],
  [
    'a key that is broken is text',
    '<tool_call>{"name": "now", "ar\n": {}}</tool_call>',
    { source: sources.qwen },
    { content: '<tool_call>{"name": "now", "ar\n": {}}</tool_call>' },
  ],
  [
    'another mark in the place of a call is text',
    '<tool_call></other>',
    { source: sources.qwen },
    { content: '<tool_call></other>' },
  ],
  ['an empty list is text', '[TOOL_CALLS][] 끝', { source: sources.mistral }, { content: '[TOOL_CALLS][] 끝' }],
  ['Llama, JSON that is cut is text', '{"ci', { source: sources.llama }, { content: '{"ci' }],
  [
    'Llama, a call that is cut within a key is text',
    '<|python_tag|>{"name": "now", "paramet',
    { source: sources.llama },
    { content: '<|python_tag|>{"name": "now", "paramet' },
  ],
  [
    'thinking that the prompt opened, after a line break',
    '\n생각 중\n</think>답',
    { source: sources.qwen, thinkingOpen: true },
    { reasoning: '생각 중', content: '답' },
  ],
  [
    'thinking that is cut within its closing mark',
    '<think>생각\n</th',
    { source: sources.qwen },
    { reasoning: '생각\n</th' },
  ],
  ['an answer that ends as a mark begins', 'a <', { source: sources.llama }, { content: 'a <' }],
  ['the beginning of a mark alone', '<', { source: sources.llama }, { content: '<' }],
  [
    'an answer in JSON where calls have a mark',
    '{"name": "now", "arguments": {}}',
    { source: sources.qwen },
    { content: '{"name": "now", "arguments": {}}' },
  ],
  [
    'Llama, what looks like a call without tools',
    '{"name": "now", "parameters": {}}',
    { source: sources.llama, withTools: false },
    { content: '{"name": "now", "parameters": {}}' },
  ],
  [
    'Llama, a call and JSON that is none',
    '{"name": "now", "parameters": {}}; {"name": "Kim"}',
    { source: sources.llama },
    { content: '{"name": "Kim"}', calls: [nowCall] },
  ],
  [
    'Llama, cut within the mark after a call',
    '{"name": "now", "parameters": {}}<|eo',
    { source: sources.llama },
    { calls: [nowCall] },
  ],
  [
    'a semicolon after a call',
    '<tool_call>{"name": "now"}</tool_call>; 끝',
    { source: sources.qwen },
    { content: '; 끝', calls: [nowCall] },
  ],
  [
    'a name in a tag, cut within the mark after the call',
    '<function=now>{}</function',
    { source: sources.generic },
    { calls: [nowCall] },
  ],
  [
    'a name in a tag that is no tool, then one that is',
    '<function=nowhere>{}</function>\n<function=now>{}</function>',
    { source: sources.mistral },
    { content: '<function=nowhere>{}</function>', calls: [nowCall] },
  ],
  [
    'HyperCLOVA X, a list after another',
    ' -> tool/function_call\n[{"name": "now", "arguments": {}}] -> tool/function_call\n[{"name": "now", "arguments": {}}]',
    { source: sources.hyperclova },
    { calls: [nowCall, nowCall] },
  ],
  ['GLM, a mark alone', '<tool_call>', { source: sources.glm }, { content: '<tool_call>' }],
  [
    'GLM, a tag before any name',
    '<tool_call>\n<arg_key>city</arg_key>',
    { source: sources.glm },
    { content: '<tool_call>\n<arg_key>city</arg_key>' },
  ],
  [
    'GLM, a name that goes on',
    '<tool_call>now{}</tool_call>',
    { source: sources.glm },
    { content: '<tool_call>now{}</tool_call>' },
  ],
  [
    'GLM, cut within a key',
    '<tool_call>get_weather\n<arg_key>ci',
    { source: sources.glm },
    { calls: [{ name: 'get_weather', arguments: '' }] },
  ],
  [
    'GLM, cut before the first key',
    '<tool_call>get_weather\n<arg',
    { source: sources.glm },
    { calls: [{ name: 'get_weather', arguments: '{}' }] },
  ],
  [
    'GLM, cut after a value',
    '<tool_call>get_weather\n<arg_key>days</arg_key><arg_value>3</arg_value>\n</tool',
    { source: sources.glm },
    { calls: [{ name: 'get_weather', arguments: '{"days":3}' }] },
  ],
  [
    'GLM, cut within the mark after a value',
    '<tool_call>get_weather\n<arg_key>city</arg_key><arg_value>서울</arg',
    { source: sources.glm },
    { calls: [{ name: 'get_weather', arguments: '{"city":"서울</arg' }] },
  ],
  [
    'GLM, cut within a value that is no text',
    '<tool_call>get_weather\n<arg_key>days</arg_key><arg_value>12',
    { source: sources.glm },
    { calls: [{ name: 'get_weather', arguments: '{"days":12' }] },
  ],
  [
    'GLM, text after a call',
    '<tool_call>now</tool_call>끝',
    { source: sources.glm },
    { content: '끝', calls: [nowCall] },
  ],
  [
    'Qwen Coder, a name that is cut',
    '<tool_call>\n<function=get_we',
    { source: sources.coder },
    { content: '<tool_call>\n<function=get_we' },
  ],
  [
    'Qwen Coder, a call with text after its name',
    '<tool_call>\n<function=now>oops',
    { source: sources.coder },
    { content: 'oops', calls: [nowCall] },
  ],
  [
    'Qwen Coder, no name',
    '<tool_call>\n<function=>\n</function>',
    { source: sources.coder },
    { content: '<tool_call>\n<function=>\n</function>' },
  ],
  [
    'Mistral, a name that is cut',
    '[TOOL_CALLS]get_wea',
    { source: sources.mistralArgs },
    { content: '[TOOL_CALLS]get_wea' },
  ],
  ['Mistral, no name', '[TOOL_CALLS] [ARGS]{}', { source: sources.mistralArgs }, { content: '[TOOL_CALLS] [ARGS]{}' }],
  [
    'Mistral, arguments before any name',
    '[TOOL_CALLS]{}[ARGS]{}',
    { source: sources.mistralArgs },
    { content: '[TOOL_CALLS]{}[ARGS]{}' },
  ],
  [
    'Mistral, white space around the name',
    '[TOOL_CALLS] now [ARGS] {}',
    { source: sources.mistralArgs },
    { calls: [nowCall] },
  ],
  [
    'Mistral, texts with quotes, backslashes and braces',
    '[TOOL_CALLS]get_weather[ARGS]{"city": "\\"}\\\\"} 끝',
    { source: sources.mistralArgs },
    { content: '끝', calls: [{ name: 'get_weather', arguments: '{"city": "\\"}\\\\"}' }] },
  ],
  [
    'Mistral, cut within the arguments',
    '[TOOL_CALLS]get_weather[ARGS]{"city": "서',
    { source: sources.mistralArgs },
    { calls: [{ name: 'get_weather', arguments: '{"city": "서' }] },
  ],
  [
    'a name in a tag that begins as those of two tools do',
    '<function=n> <function=now>{}</function>',
    { source: sources.generic },
    { content: '<function=n>', calls: [nowCall] },
  ],
  ['harmony, without channels', '답입니다.', { source: sources.gptOss }, { content: '답입니다.' }],
];

describe('reading a reply', () => {
  it.each(cases)('%s', (_name, text, options, wanted) => {
    const whole = { reasoning: '', content: '', calls: [], ...wanted };
    expect(read(text, options, [])).toEqual(whole);
    expect(read(text, options)).toEqual(whole);
  });

  it.each(cases)('is the same for every single cut: %s', (_name, text, options) => {
    const whole = read(text, options, []);
    for (let cut = 1; cut < text.length; cut++) expect(read(text, options, [cut])).toEqual(whole);
  });

  it('is the same wherever it is cut', () => {
    const texts = fc.constantFrom(...cases);
    fc.assert(
      fc.property(texts, fc.array(fc.nat(400), { maxLength: 8 }), ([, text, options], cuts) => {
        const at = cuts.filter((cut) => cut < text.length).sort((a, b) => a - b);
        expect(read(text, options, at)).toEqual(read(text, options, []));
      }),
      { numRuns: 400 },
    );
  });

  it('loses nothing of what it cannot read, and never fails', () => {
    const marks = [
      '```json',
      '```',
      '<function=now>',
      '</function>',
      '<parameter=city>',
      '</parameter>',
      'now',
      '<arg_key>',
      'city</arg_key>',
      '<arg_value>',
      '</arg_value>',
      '<｜tool▁calls▁begin｜>',
      '<｜tool▁call▁begin｜>',
      '<｜tool▁sep｜>',
      '<｜tool▁call▁end｜>',
      '<｜tool▁calls▁end｜>',
      ', "arguments": ',
      '{',
      ']',
      '[',
      ' -> tool/function_call\n',
      '<seed:tool_call>',
      '</seed:tool_call>',
      '<seed:think>',
      '<|tool_call_start|>',
      '[now(',
      'city=',
      ')',
      '<|tool_call_end|>',
      '<|tool_calls_section_begin|>',
      '<|tool_call_begin|>',
      '<|tool_call_argument_begin|>',
      '<|tool_call_end|>',
      '<|think|>',
      '<|end|><|begin|>assistant',
      '<|tool_call:begin|>x<|tool_call:name|>now<|tool_call:args|>',
      '<minimax:tool_call>',
      '<invoke name="now">',
      '<parameter name="city">',
      '</invoke>',
      '<|tool_call|>',
      '<|python_tag|>',
      '<think>',
      '</think>',
      '<tool_call>',
      '</tool_call>',
      '{"name": "now"',
      '}',
      '[TOOL_CALLS]',
      '[ARGS]',
      ' ',
      '\n',
      '가',
      '"',
      '\\',
    ];
    const source = fc.constantFrom(...Object.values(sources));
    fc.assert(
      fc.property(
        source,
        fc.array(fc.constantFrom(...marks), { maxLength: 14 }),
        fc.boolean(),
        (family, parts, withTools) => {
          const text = parts.join('');
          const options = { source: family, withTools };
          expect(read(text, options)).toEqual(read(text, options, []));
          const { content, reasoning, calls } = read(text, options, []);
          const said = content + reasoning + calls.map((call) => call.name + call.arguments).join('');
          // Every plain character is still there; only a key that is cut off may be missing.
          const cut = /(<parameter=|<parameter name="|<arg_key>)[^<>]*$/.test(text);
          if (!cut) expect(said.split('가').length).toBe(text.split('가').length);
        },
      ),
      { numRuns: 4000 },
    );
  });
});

const frames: Readonly<Record<string, (name: string, args: Readonly<Record<string, string>>) => string>> = {
  qwen: (name, args) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
  coder: (name, args) =>
    `<tool_call>\n<function=${name}>\n${pairs(args, (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`)}</function>\n</tool_call>`,
  glm: (name, args) =>
    `<tool_call>${name}\n${pairs(args, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`)}</tool_call>`,
  deepseek: (name, args) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  llama: (name, args) => JSON.stringify({ name, parameters: args }),
  generic: (name, args) => `\`\`\`json\n${JSON.stringify({ name, arguments: args }, null, 2)}\n\`\`\``,
  mistral: (name, args) => `[TOOL_CALLS]${JSON.stringify([{ name, arguments: args }])}`,
  mistralArgs: (name, args) => `[TOOL_CALLS]${name}[ARGS]${JSON.stringify(args)}`,
  phi: (name, args) => `<|tool_call|>${JSON.stringify([{ name, arguments: args }])}<|/tool_call|>`,
  midm: (name, args) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`,
  seed: (name, args) =>
    `<seed:tool_call>\n<function=${name}>\n${pairs(args, (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`)}</function>\n</seed:tool_call>`,
  lfm: (name, args) =>
    `<|tool_call_start|>[${name}(${Object.entries(args)
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .join(', ')})]<|tool_call_end|>`,
  kimi: (name, args) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${JSON.stringify(args)}<|tool_call_end|><|tool_calls_section_end|>`,
  solar: (name, args) =>
    `<|tool_calls|><|tool_call:begin|>a1b2<|tool_call:name|>${name}<|tool_call:args|>${JSON.stringify(args)}<|tool_call:end|><|calls|>`,
  dsml: (name, args) =>
    `<｜DSML｜function_calls>\n<｜DSML｜invoke name="${name}">\n${pairs(args, (key, value) => `<｜DSML｜parameter name="${key}" string="true">${value}</｜DSML｜parameter>\n`)}</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
  minimax: (name, args) =>
    `<minimax:tool_call>\n<invoke name="${name}">\n${pairs(args, (key, value) => `<parameter name="${key}">${value}</parameter>\n`)}</invoke>\n</minimax:tool_call>`,
  hyperclova: (name, args) => ` -> tool/function_call\n${JSON.stringify([{ name, arguments: args }])}`,
  gptOss: (name, args) =>
    `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${JSON.stringify(args)}<|call|>`,
};
const pairs = (args: Readonly<Record<string, string>>, write: (key: string, value: string) => string) =>
  Object.entries(args)
    .map(([key, value]) => write(key, value))
    .join('');
const sourceOf = (name: string) => (sources as Readonly<Record<string, string>>)[name] ?? '';

describe.each(Object.entries(frames))('the arguments of a call in the form of %s', (name, write) => {
  const source = sourceOf(name);

  it('are those that were meant, wherever the text is cut', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc
        .array(fc.constantFrom('\n', '"', '\\', '<', '>', '</', '`', '🙂', '가', '\t', '}', '{', 'null', '12', ','), {
          maxLength: 12,
        })
        .map((parts) => parts.join('')),
    );
    const args = fc.record({ city: value, zip: value }, { requiredKeys: [] });
    fc.assert(
      fc.property(args, fc.array(fc.nat(300), { maxLength: 8 }), (wanted, cuts) => {
        const text = write('get_weather', wanted);
        const at = cuts.filter((cut) => cut < text.length).sort((a, b) => a - b);
        const whole = read(text, { source }, []);
        expect(whole.calls.map((call) => [call.name, JSON.parse(call.arguments) as unknown])).toEqual([
          ['get_weather', wanted],
        ]);
        expect(whole.content).toBe('');
        expect(read(text, { source }, at)).toEqual(whole);
        expect(read(text, { source })).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  it('come while they are written', () => {
    const parser = createOutputParser({ family: familyOf(source), thinkingOpen: false, tools });
    const body = 'const a = "b";\n'.repeat(40);
    const text = write('get_weather', { city: body });
    const half = text.slice(0, text.length / 2);
    const pieces = half.match(/.{1,7}/gs)?.flatMap((part) => parser.push(part)) ?? [];
    expect(pieces.filter(({ type }) => type === 'tool_arguments').length).toBeGreaterThan(20);
    expect(join(pieces).calls[0]?.arguments.length).toBeGreaterThan(half.length * 0.6);
  });
});

describe('an end token', () => {
  it('between thinking and answer ends nothing; any other ends the reply', () => {
    const parser = createOutputParser({ family: familyOf(sources.hyperclova), thinkingOpen: false, tools: null });
    expect(parser.continuesAfter('<|im_end|>')).toBe(false);
    parser.push('/think\n음');
    expect(parser.continuesAfter('<|im_end|>')).toBe(true);
    expect(parser.continuesAfter('<|endofturn|>')).toBe(false);
    parser.push('<|im_end|>\n<|im_start|>assistant\n답');
    expect(parser.continuesAfter('<|im_end|>')).toBe(false);
    const other = createOutputParser({ family: familyOf(sources.qwen), thinkingOpen: true, tools: null });
    expect(other.continuesAfter('<|im_end|>')).toBe(false);
  });
});

describe('thinking that is under way', () => {
  it.each(['generic', 'qwen', 'hyperclova'] as const)('is over with what is missing of its mark (%s)', (name) => {
    const family = name === 'generic' ? GENERIC : familyOf(sources[name]);
    const { close } = family.think;
    for (const begun of ['', ' and', ...Array.from(close, (_, i) => ` so${close.slice(0, i)}`)]) {
      const parser = createOutputParser({ family, thinkingOpen: true, tools: null });
      const pieces = parser.push(`hmm${begun}`);
      const rest = parser.closingRest;
      pieces.push(...parser.push(`${rest}answer`), ...parser.end());
      const texts = (type: Piece['type']) => pieces.map((one) => (one.type === type && 'text' in one ? one.text : ''));
      expect({ begun, answer: texts('content').join('') }).toEqual({ begun, answer: 'answer' });
      expect(texts('reasoning').join('')).toBe(begun.startsWith(' so') ? 'hmm so' : `hmm${begun}`);
      expect(parser.closingRest).toBe('');
    }
  });

  it('is opened by what is missing of its mark, where the text can become nothing else', () => {
    const restOf = (text: string, withTools = true) => {
      const parser = createOutputParser({
        family: familyOf(sources.qwen),
        thinkingOpen: false,
        tools: withTools ? tools : null,
      });
      parser.push(text);
      return parser.openingRest;
    };
    expect(['<think', '\n<th', '<think>', '<b', '', ' ', 'a<th'].map((text) => restOf(text))).toEqual([
      '>',
      'ink>',
      '',
      '',
      '',
      '',
      '',
    ]);
    // May become `<tool_call>`, where there are tools.
    expect([restOf('<'), restOf('<t'), restOf('<t', false)]).toEqual(['', '', 'hink>']);
  });

  it('has no such mark where channels have a grammar of their own', () => {
    const parser = createOutputParser({ family: familyOf(sources.gptOss), thinkingOpen: false, tools: null });
    parser.push('<|channel|>analysis<|message|>hmm');
    expect([parser.inReasoning, parser.closingRest]).toEqual([true, '']);
  });
});

describe('the family of a template', () => {
  it('is told by its marks; others are generic', () => {
    expect(Object.values(sources).map((source) => familyOf(source).name)).toEqual([
      'qwen',
      'qwen-coder',
      'llama',
      'mistral',
      'mistral',
      'deepseek',
      'glm',
      'gpt-oss',
      'phi',
      'hyperclova',
      'exaone',
      'exaone-deep',
      'gemma',
      'gemma4',
      'llama',
      'seed',
      'lfm',
      'kimi',
      'solar',
      'deepseek',
      'minimax',
      'command',
      'generic',
    ]);
    expect([sources.midm, sources.dsml].map((source) => familyOf(source).tools)).toEqual(['hermes', 'dsml']);
    expect(familyOf('<|im_start|> {% if keep_past_thinking %}').name).toBe('lfm');
    expect(familyOf('{{ messages }}')).toBe(GENERIC);
  });
});

describe('text that looked like calls and turns out to be none', () => {
  const rest = ' and so on';
  it.each([
    ['DeepSeek, a block that ends before any call', sources.deepseek, '<｜tool▁calls▁begin｜><｜tool▁calls▁end｜>'],
    [
      'DeepSeek, a call that begins within its name',
      sources.deepseek,
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁call▁begin｜>',
    ],
    ['Qwen Coder, no function', sources.coder, '<tool_call>\nno function'],
    ['Qwen, no JSON', sources.qwen, '<tool_call>\nno JSON'],
    ['Llama, an answer in JSON', sources.llama, '{"city": "Seoul"}'],
    [
      'DeepSeek, a name that breaks',
      sources.deepseek,
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f<｜tool▁call▁end｜>',
    ],
    [
      'DeepSeek, no code block',
      sources.deepseek,
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\nno code',
    ],
  ])('is given out as soon as that is clear: %s', (_name, source, text) => {
    const parser = createOutputParser({ family: familyOf(source), thinkingOpen: false, tools });
    const before = join(parser.push(`${text}${rest}`));
    expect(before.calls).toEqual([]);
    expect(before.content).toContain(rest.slice(0, -2));
    const end = join(parser.end());
    expect(before.content + end.content).toContain(text.trim().slice(-7) + rest);
  });
});
