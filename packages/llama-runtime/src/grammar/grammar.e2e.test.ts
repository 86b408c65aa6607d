import { describe, expect, it } from 'vitest';
import {
  type Family,
  type ToolDefinition,
  createOutputParser,
  familyOf,
} from '@ai-studio/reply-format/parsers/index.ts';
import { RequestError } from '../request-error.ts';
import { accepts, jsonGrammar } from './accepts.fixture.ts';
import { jsonReplyGrammar, toolGrammar } from './index.ts';

const generic = familyOf('');

const person = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    email: { type: 'string' },
  },
  required: ['name'],
  additionalProperties: false,
};

interface Case {
  readonly name: string;
  readonly schema: unknown;
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'any object',
    schema: null,
    valid: ['{}', '{"a": [1, {"b": null}]}'],
    invalid: ['[]', '1', '{"a"}', '{"a": 1,}'],
  },
  { name: 'anything', schema: {}, valid: ['{}', '[1]', '"가"', 'true', '-1.5e3'], invalid: ['', 'nope'] },
  {
    name: 'optional members in order',
    schema: person,
    valid: [
      '{"name": "김"}',
      '{"name":"김","age":3}',
      '{"name": "a", "email": "b"}',
      '{"name": "a", "age": 150, "email": "b"}',
    ],
    invalid: [
      '{}',
      '{"age": 3}',
      '{"name": 1}',
      '{"name": "a", "age": 151}',
      '{"name": "a", "x": 1}',
      '{"name": "a", }',
    ],
  },
  {
    name: 'only optional members',
    schema: { type: 'object', properties: { a: { type: 'null' }, b: { type: 'boolean' } } },
    valid: ['{}', '{"a": null}', '{"b": true}', '{"a": null, "b": false}'],
    invalid: ['{"b": 1}', '{, "b": true}', '{"b": true, "a": null}'],
  },
  {
    name: 'a map',
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    valid: ['{}', '{"a": 1}', '{"a": 1, "나": -2}'],
    invalid: ['{"a": "1"}', '{"a": 1.5}'],
  },
  {
    name: 'members beside a map',
    schema: {
      type: 'object',
      properties: { id: { type: 'integer' } },
      required: ['id'],
      additionalProperties: { type: 'string' },
    },
    valid: ['{"id": 1}', '{"id": 1, "name": "a"}'],
    invalid: ['{"name": "a"}', '{"id": 1, "name": 2}'],
  },
  {
    name: 'keys by pattern',
    schema: { type: 'object', patternProperties: { '^k[0-9]+$': { type: 'boolean' } }, additionalProperties: false },
    valid: ['{}', '{"k1": true, "k22": false}'],
    invalid: ['{"a": true}', '{"k1": 1}'],
  },
  {
    name: 'at least one member',
    schema: { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1 },
    valid: ['{"a": 1}'],
    invalid: ['{}'],
  },
  {
    name: 'enum and const',
    schema: { enum: ['서울', 3, null, { a: 1 }] },
    valid: ['"서울"', '3', 'null', '{"a":1}'],
    invalid: ['"부산"', '4'],
  },
  { name: 'const', schema: { const: 'x"y' }, valid: ['"x\\"y"'], invalid: ['"x"'] },
  { name: 'enum of one type', schema: { type: 'string', enum: ['a', 1] }, valid: ['"a"'], invalid: ['1'] },
  { name: 'several types', schema: { type: ['string', 'null'] }, valid: ['"a"', 'null'], invalid: ['1'] },
  { name: 'nullable', schema: { type: 'integer', nullable: true }, valid: ['1', 'null'], invalid: ['"1"'] },
  {
    name: 'anyOf',
    schema: {
      anyOf: [{ type: 'integer' }, { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
    },
    valid: ['1', '{"a": "b"}'],
    invalid: ['"1"', '{}'],
  },
  {
    name: 'anyOf beside members',
    schema: {
      type: 'object',
      properties: { kind: { type: 'string' } },
      anyOf: [{ required: ['kind'] }, { properties: { n: { type: 'integer' } }, required: ['n'] }],
    },
    valid: ['{"kind": "a"}', '{"n": 1}', '{"kind": "a", "n": 1}'],
    invalid: ['{}'],
  },
  {
    name: 'allOf',
    schema: {
      allOf: [
        { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
        { properties: { b: { type: 'integer', minimum: 5 } }, required: ['b'] },
      ],
    },
    valid: ['{"a": 1, "b": 5}'],
    invalid: ['{"a": 1}', '{"a": 1, "b": 4}'],
  },
  {
    name: 'allOf of bounds',
    schema: {
      allOf: [
        { type: 'integer', minimum: 3 },
        { maximum: 7, minimum: 5 },
      ],
    },
    valid: ['5', '7'],
    invalid: ['4', '8', '3'],
  },
  {
    name: 'references',
    schema: {
      $defs: { city: { type: 'string', enum: ['서울'] } },
      type: 'object',
      properties: { from: { $ref: '#/$defs/city' }, to: { $ref: '#/$defs/city' } },
      required: ['from', 'to'],
    },
    valid: ['{"from": "서울", "to": "서울"}'],
    invalid: ['{"from": "서울"}', '{"from": "x", "to": "서울"}'],
  },
  {
    name: 'recursion',
    schema: {
      $defs: {
        node: {
          type: 'object',
          properties: { v: { type: 'integer' }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
          required: ['v', 'next'],
          additionalProperties: false,
        },
      },
      $ref: '#/$defs/node',
    },
    valid: ['{"v": 1, "next": null}', '{"v": 1, "next": {"v": 2, "next": null}}'],
    invalid: ['{"v": 1}', '{"v": 1, "next": 3}'],
  },
  {
    name: 'recursion to the whole',
    schema: { type: 'object', properties: { child: { $ref: '#' } } },
    valid: ['{}', '{"child": {"child": {}}}'],
    invalid: ['{"child": 1}'],
  },
  {
    name: 'arrays',
    schema: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3 },
    valid: ['[1]', '[1, 2, 3]'],
    invalid: ['[]', '[1, 2, 3, 4]', '["1"]', '[1,]'],
  },
  {
    name: 'tuples',
    schema: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 1 },
    valid: ['["a"]', '["a", 1]'],
    invalid: ['[]', '[1]', '["a", 1, 2]'],
  },
  {
    name: 'tuples that go on',
    schema: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' }, minItems: 2, maxItems: 3 },
    valid: ['["a", 1]', '["a", 1, 2]'],
    invalid: ['["a"]', '["a", 1, 2, 3]', '["a", "b"]'],
  },
  {
    name: 'lengths',
    schema: { type: 'string', minLength: 2, maxLength: 3 },
    valid: ['"ab"', '"가나다"', '"\\n\\""'],
    invalid: ['"a"', '"abcd"', '""'],
  },
  {
    name: 'integers without bounds',
    schema: { type: 'integer' },
    valid: ['0', '-7', '123456789012345'],
    invalid: ['01', '1.0', '+1', '-'],
  },
  {
    name: 'integers within',
    schema: { type: 'integer', minimum: -12, maximum: 305 },
    valid: ['-12', '-9', '-1', '0', '9', '10', '99', '100', '305', '299'],
    invalid: ['-13', '306', '310', '1000', '-0', '-20'],
  },
  {
    name: 'integers above',
    schema: { type: 'integer', exclusiveMinimum: 99 },
    valid: ['100', '4567'],
    invalid: ['99', '5', '-100'],
  },
  {
    name: 'integers below',
    schema: { type: 'integer', maximum: -5 },
    valid: ['-5', '-10', '-99999'],
    invalid: ['-4', '5', '0'],
  },
  {
    name: 'multiples',
    schema: { type: 'integer', multipleOf: 25, minimum: 30, maximum: 100 },
    valid: ['50', '75', '100'],
    invalid: ['25', '30', '125'],
  },
  { name: 'numbers', schema: { type: 'number' }, valid: ['0', '-1.5', '1e10', '2.5E-3'], invalid: ['.5', '1.', '1e'] },
  {
    name: 'numbers within',
    schema: { type: 'number', minimum: -1.5, maximum: 2 },
    valid: ['-1', '0', '1', '2', '0.5', '1.999', '-0.5'],
    invalid: ['2.1', '-1.6', '3', '-2'],
  },
  {
    name: 'numbers from 0 to 1',
    schema: { type: 'number', minimum: 0, maximum: 1 },
    valid: ['0', '1', '0.75'],
    invalid: ['1.1', '-0.1', '2'],
  },
  {
    name: 'numbers between two integers',
    schema: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    valid: ['0.5'],
    invalid: ['0', '1', '0.0'],
  },
  {
    name: 'a pattern',
    schema: { type: 'string', pattern: '^[A-Z]{2}-\\d{3,4}(가|나)?$' },
    valid: ['"AB-123"', '"AB-1234가"'],
    invalid: ['"A-123"', '"AB-12"', '"AB-123다"'],
  },
  {
    name: 'a pattern of what JSON escapes',
    schema: { type: 'string', pattern: '^["\\\\]+$' },
    valid: ['"\\""', '"\\\\\\""'],
    invalid: ['""', '"a"'],
  },
  {
    name: 'a pattern of choices',
    schema: { type: 'string', pattern: '^a$|^b+$' },
    valid: ['"a"', '"bbb"'],
    invalid: ['"ab"', '"c"'],
  },
  {
    name: 'a negated class',
    schema: { type: 'string', pattern: '^[^a-z"]{2}$' },
    valid: ['"가1"', '"AB"'],
    invalid: ['"ab"', '"a"', '"\\"1"'],
  },
  {
    name: 'formats',
    schema: { type: 'string', format: 'date' },
    valid: ['"2026-11-21"'],
    invalid: ['"2026-13-01"', '"x"'],
  },
  { name: 'an unknown format', schema: { type: 'string', format: 'colour' }, valid: ['"x"'], invalid: ['1'] },
  {
    name: 'names that need escapes',
    schema: { type: 'object', properties: { 'a "b"\\': { type: 'null' } }, required: ['a "b"\\'] },
    valid: ['{"a \\"b\\"\\\\": null}'],
    invalid: ['{}'],
  },
  {
    name: 'white space',
    schema: person,
    valid: ['{\n  "name": "a",\n  "age": 3\n}'],
    invalid: ['{                              "name": "a"}'],
  },
];

describe('the grammar of a schema', () => {
  it.each(cases)('$name', ({ schema, valid, invalid }) => {
    const grammar = jsonGrammar(schema);
    for (const text of valid) expect([text, accepts(grammar, text)]).toEqual([text, true]);
    for (const text of invalid) expect([text, accepts(grammar, text)]).toEqual([text, false]);
  });

  it.each<[string, unknown, string]>([
    ['no schema', 'text', 'schema'],
    ['a type that is none', { type: 'text' }, 'schema.type'],
    ['false', { type: 'object', properties: { a: false }, required: ['a'] }, 'schema.properties.a'],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, 'schema.$ref'],
    ['a reference elsewhere', { $ref: 'https://example.com/schema' }, 'schema.$ref'],
    [
      'looking ahead',
      { type: 'object', properties: { x: { type: 'string', pattern: '^(?=a)b' } } },
      'schema.properties.x.pattern',
    ],
    ['not', { not: { type: 'string' } }, 'schema.not'],
    ['empty bounds', { type: 'integer', minimum: 5, maximum: 4 }, 'schema'],
    ['types that exclude each other', { allOf: [{ type: 'string' }, { type: 'integer' }] }, 'schema'],
    ['endless repetition', { type: 'string', pattern: '^((a{900}){900})$' }, 'schema.pattern'],
  ])('refuses %s and names the place', (_name, schema, param) => {
    const wanted = `response_format.json_schema.${param}`;
    expect(() => jsonGrammar(schema)).toThrow(RequestError);
    try {
      jsonGrammar(schema);
    } catch (error) {
      expect((error as RequestError).param).toContain(wanted);
    }
  });

  it('stays small and quick for many optional members and deep nesting', () => {
    const many = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`p${i}`, { type: 'integer' }])),
    };
    expect(accepts(jsonGrammar(many), '{"p3": 1, "p199": 2}')).toBe(true);
    expect(jsonGrammar(many).length).toBeLessThan(60_000);
    let deep: unknown = { type: 'null' };
    for (let i = 0; i < 10_000; i++) deep = { type: 'array', items: deep };
    expect(() => jsonGrammar(deep)).toThrow(/nested deeper/);
  });
});

const tools: ToolDefinition[] = [
  {
    function: {
      name: 'get_weather',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string', enum: ['서울', '부산'] },
          days: { type: 'integer', minimum: 1, maximum: 7 },
        },
        required: ['city'],
        additionalProperties: false,
      },
    },
  },
  { function: { name: 'now' } },
];

const weather = '{"city": "서울", "days": 3}';
const wrong = '{"city": "서울", "days": 8}';

/** What each form writes for the call of weather with these arguments. */
const written: Readonly<
  Record<string, { source: string; call: (json: string) => string; join: (calls: string) => string }>
> = {
  hermes: {
    source: '<|im_start|> <tool_call>',
    call: (json) => `<tool_call>\n{"name": "get_weather", "arguments": ${json}}\n</tool_call>`,
    join: (calls) => calls,
  },
  llama: {
    source: '<|start_header_id|>',
    call: (json) => `{"name": "get_weather", "parameters": ${json}}`,
    join: (calls) => calls,
  },
  'mistral-list': {
    source: '[INST]',
    call: (json) => `{"name": "get_weather", "arguments": ${json}}`,
    join: (calls) => `[TOOL_CALLS][${calls}]`,
  },
  'mistral-args': {
    source: '[TOOL_CALLS] [ARGS]',
    call: (json) => `[TOOL_CALLS]get_weather[ARGS]${json}`,
    join: (calls) => calls,
  },
  deepseek: {
    source: '<｜Assistant｜>',
    call: (json) =>
      `<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜>`,
    join: (calls) => `<｜tool▁calls▁begin｜>${calls}<｜tool▁calls▁end｜>`,
  },
  phi: {
    source: '<|tool|>',
    call: (json) => `{"name": "get_weather", "arguments": ${json}}`,
    join: (calls) => `<|tool_call|>[${calls}]<|/tool_call|>`,
  },
  gemma: {
    source: '<|turn>',
    call: (json) => `<|tool_call>call:get_weather${json}<tool_call|>`,
    join: (calls) => calls,
  },
  hyperclova: {
    source: 'tool/function_call',
    call: (json) => `{"name": "get_weather", "arguments": ${json}}`,
    join: (calls) => ` -> tool/function_call\n[${calls}]`,
  },
  harmony: {
    source: '<|channel|> <|start|>',
    call: (json) => `<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${json}<|call|>`,
    join: (calls) => `<|channel|>analysis<|message|>음<|end|><|start|>assistant${calls}`,
  },
};

const tagged: Readonly<Record<string, { source: string; good: string; bad: string }>> = {
  glm: {
    source: '<arg_key>',
    good: '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>서울</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>',
    bad: '<tool_call>get_weather\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>',
  },
  'qwen-xml': {
    source: '<function= <parameter=',
    good: '<tool_call>\n<function=get_weather>\n<parameter=city>\n서울\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>',
    bad: '<tool_call>\n<function=get_weather>\n<parameter=city>\n대구\n</parameter>\n</function>\n</tool_call>',
  },
};

/** The calls that the family's own reader finds in a text. */
function calls(family: Family, text: string): { name: string; arguments: unknown }[] {
  const parser = createOutputParser({ family, thinkingOpen: false, tools });
  const found: { name: string; json: string }[] = [];
  for (const piece of [...parser.push(text), ...parser.end()]) {
    if (piece.type === 'tool_call') found.push({ name: piece.name, json: '' });
    const last = found.at(-1);
    if (piece.type === 'tool_arguments' && last) last.json += piece.text;
  }
  return found.map(({ name, json }) => ({ name, arguments: JSON.parse(json) as unknown }));
}

describe('the grammar of tool calls', () => {
  it.each(Object.entries(written))(
    '%s: holds names and arguments, and is what the reader reads',
    (_name, { source, call, join }) => {
      const family = familyOf(source);
      const { text } = toolGrammar({ family, tools, choice: 'required', parallel: false });
      const good = join(call(weather));
      expect(accepts(text, good)).toBe(true);
      expect(accepts(text, join(call(wrong)))).toBe(false);
      expect(accepts(text, '안녕하세요')).toBe(false);
      expect(calls(family, good)).toEqual([{ name: 'get_weather', arguments: { city: '서울', days: 3 } }]);
      const named = toolGrammar({ family, tools, choice: { name: 'now' }, parallel: true }).text;
      expect(accepts(named, good)).toBe(false);
    },
  );

  it.each(Object.entries(tagged))('%s: holds parameters between tags', (_name, { source, good, bad }) => {
    const family = familyOf(source);
    const { text } = toolGrammar({ family, tools, choice: 'required', parallel: true });
    expect(accepts(text, good)).toBe(true);
    expect(accepts(text, `${good}\n${good}`)).toBe(true);
    expect(accepts(text, bad)).toBe(false);
    expect(calls(family, good)).toEqual([{ name: 'get_weather', arguments: { city: '서울', days: 3 } }]);
  });

  it('allows several calls only where they may be', () => {
    const family = familyOf(written['hermes']?.source ?? '');
    const one = written['hermes']?.call(weather) ?? '';
    const several = toolGrammar({ family, tools, choice: 'required', parallel: true }).text;
    const single = toolGrammar({ family, tools, choice: 'required', parallel: false }).text;
    expect(accepts(several, `${one}\n${one}`)).toBe(true);
    expect(accepts(single, `${one}\n${one}`)).toBe(false);
  });

  it('names the schema that it cannot follow', () => {
    const odd = { function: { name: 'f', parameters: { type: 'object', properties: { x: { not: {} } } } } };
    expect(() => toolGrammar({ family: generic, tools: [odd], choice: 'required', parallel: false })).toThrow(
      /tools\[0\]\.function\.parameters\.properties\.x\.not/,
    );
  });
});

describe('answers in JSON of models that write channels', () => {
  it('come in the final one, after thinking', () => {
    const { text, whole } = jsonReplyGrammar(familyOf('<|channel|> <|start|>'), person);
    expect(whole).toBe(true);
    expect(
      accepts(
        text,
        '<|channel|>analysis<|message|>음 < 3<|end|><|start|>assistant<|channel|>final<|message|>{"name": "a"}',
      ),
    ).toBe(true);
    expect(accepts(text, '<|channel|>final<|message|>{"age": 3}')).toBe(false);
  });
});
