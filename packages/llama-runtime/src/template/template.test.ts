import { describe, expect, it } from 'vitest';
import { times } from '../../../../server/test/support/long.ts';
import { RequestError } from '../request-error.ts';
import { type ChatTemplate, type RenderOptions, createTemplate } from './index.ts';
import { families } from './families.fixture.ts';
import { laterFamilies } from './later-families.fixture.ts';

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: '날씨를 알려 준다',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

const question = [
  { role: 'system', content: '짧게 답하세요.' },
  { role: 'user', content: '서울 날씨?' },
];
const call = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"서울"}' } };
const history = [
  ...question,
  { role: 'assistant', content: null, reasoning_content: '비밀', tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c1', content: '맑음' },
];

const two = [
  ...question,
  {
    role: 'assistant',
    content: '확인합니다.',
    tool_calls: [call, { ...call, id: 'c2', function: { name: 'get_weather', arguments: '{"city":"부산"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: '맑음' },
  { role: 'tool', tool_call_id: 'c2', content: '비 "10mm"' },
];

const render = (template: ChatTemplate, options: Partial<RenderOptions> = {}) =>
  template.render({ messages: question, tools: null, kwargs: {}, thinking: null, ...options });

function refusal(work: () => unknown): RequestError {
  try {
    work();
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

describe.each([...families, ...laterFamilies])('$name', ({ source, family, tools, thinking, prompts }) => {
  const template = createTemplate({ source, bosToken: '<bos>', eosToken: '<eos>' });

  it('is recognised', () => {
    expect(template.family.name).toBe(family);
    expect(template.tools).toBe(tools);
    expect(template.thinking).toBe(thinking);
  });

  it.each(Object.entries(prompts))('writes the prompt: %s', (name, wanted) => {
    const options: Partial<RenderOptions> = {
      ...(name.includes('tools') ? { tools: [weather] } : {}),
      ...(name.includes('history') ? { messages: history, tools: [weather] } : {}),
      ...(name.includes('two') ? { messages: two } : {}),
      ...(name.includes('off') ? { thinking: false } : {}),
      ...(name.includes('on') ? { thinking: true } : {}),
    };
    const rendered = render(template, options);
    expect(rendered.prompt).toBe(wanted.text);
    expect(rendered.thinkingOpen).toBe(wanted.open ?? false);
    expect(rendered.prompt).not.toContain('비밀');
  });
});

/** Which bound it is that ends the template. */
const bounds: Readonly<Record<string, RegExp>> = {
  'a text that doubles': /too much of one text/,
  'a long range': /too much of one list/,
  'a list that doubles': /too much of one list/,
  'many long lists that are kept': /too much of lists/,
  'a wide last row': /too much of one list/,
  'a length that is no number': /too much of one list/,
  'copies of a long list': /too much of lists/,
};

/** Milliseconds for what comes to no other bound. */
const limits: Readonly<Record<string, number>> = { 'an output that goes on': times(1_000, 4_000) };

describe('a template', () => {
  it('that knows no tools refuses them in words', () => {
    const template = createTemplate({ source: '{{ messages[0].content }}', bosToken: '', eosToken: '' });
    const { param, message } = refusal(() => render(template, { tools: [weather] }));
    expect(param).toBe('tools');
    expect(message).toContain('knows no tools');
  });

  it('that is missing is ChatML, ended by its own marks', () => {
    const template = createTemplate({ source: null, bosToken: '', eosToken: '' });
    const { prompt, stops } = render(template);
    expect(prompt).toBe(
      '<|im_start|>system\n짧게 답하세요.<|im_end|>\n<|im_start|>user\n서울 날씨?<|im_end|>\n<|im_start|>assistant\n',
    );
    expect(stops).toContain('<|im_end|>');
  });

  it('for tools is used with tools', () => {
    const template = createTemplate({
      source: 'plain',
      toolSource: '{{ tools | length }} tools',
      bosToken: '',
      eosToken: '',
    });
    expect(render(template).prompt).toBe('plain');
    expect(render(template, { tools: [weather] }).prompt).toBe('1 tools');
  });

  it('without a system role gets its text with the first question', () => {
    const source =
      "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}{% for m in messages %}{{ m.role }}: {{ m.content }}|{% endfor %}";
    const template = createTemplate({ source, bosToken: '', eosToken: '' });
    expect(render(template).prompt).toBe('user: 짧게 답하세요.\n\n서울 날씨?|');
  });

  it('that refuses the messages is a 400 with its own words', () => {
    const source = "{% if messages[0].role != 'user' %}{{ raise_exception('Roles must alternate') }}{% endif %}ok";
    const template = createTemplate({ source, bosToken: '', eosToken: '' });
    expect(refusal(() => render(template)).message).toContain('Roles must alternate');
  });

  it('whose roles must alternate gets neighbours of one role as one message, and calls as they are', () => {
    const source =
      "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate') }}{% endif %}{{ m.role }}: {{ m.content }}|{% endfor %}";
    const template = createTemplate({ source, bosToken: '', eosToken: '' });
    const said = (role: string, content: string) => ({ role, content });
    const messages = [said('user', 'a'), said('user', 'b'), said('assistant', 'c'), said('assistant', 'd')];
    expect(render(template, { messages }).prompt).toBe('user: a\n\nb|assistant: c\n\nd|');
    const plain = createTemplate({ source: '{{ messages | length }}', bosToken: '', eosToken: '' });
    expect(render(plain, { messages }).prompt).toBe('4');
    const counting = createTemplate({
      source: "{% if not messages %}{{ raise_exception('Roles must alternate') }}{% endif %}{{ messages | length }}",
      bosToken: '',
      eosToken: '',
    });
    const called = { role: 'assistant', content: null, tool_calls: [call] };
    expect(render(counting, { messages: [said('user', 'a'), called, called] }).prompt).toBe('3');
  });

  it('that wants ids of nine characters gets them, the same for a call and its answer', () => {
    const source =
      "{% for m in messages %}{% for c in m.tool_calls or [] %}{% if c.id|length != 9 %}{{ raise_exception('IDs') }}{% endif %}{{ c.id }} {% endfor %}{% if m.role == 'tool' %}{{ m.tool_call_id }}:{{ m.name }} {% endif %}{% endfor %}";
    const template = createTemplate({ source, bosToken: '', eosToken: '' });
    const messages = [
      { role: 'assistant', content: null, tool_calls: [call, { ...call, id: 'call_0123456789' }] },
      { role: 'tool', tool_call_id: 'call_0123456789', content: 'x' },
      { role: 'tool', tool_call_id: 'c1', content: 'y' },
    ];
    expect(render(template, { messages }).prompt).toBe(
      '000000001 000000002 000000002:get_weather 000000001:get_weather ',
    );
  });

  it.each([
    [
      'under a name of their own',
      '{% set _args = f.arguments %}{% for k, v in _args.items() %}{{ k }}={{ v }}{% endfor %}',
      'city=서울',
    ],
    ['with the function', '{{ call.function|tojson }}', '{"name": "get_weather", "arguments": {"city": "서울"}}'],
    ['by key', "{{ f['arguments'] | tojson }}", '{"city": "서울"}'],
    ['as text', "{{ 'x' + f.arguments + 'y' }}", 'x{"city":"서울"}y'],
  ])('gets the arguments of a call as it takes them: %s', (_name, body, wanted) => {
    const source = `{% for m in messages %}{% for call in m.tool_calls or [] %}{% set f = call.function %}${body}{% endfor %}{% endfor %}`;
    const template = createTemplate({ source, bosToken: '', eosToken: '' });
    expect(render(template, { messages: history }).prompt).toBe(wanted);
  });

  it('with words of its own for thinking gets them', () => {
    const source = '{% if force_reasoning %}on{% endif %}{% if skip_reasoning %}off{% endif %}';
    const template = createTemplate({ source, bosToken: '', eosToken: '' });
    const prompts = [true, false, null].map((thinking) => render(template, { thinking }).prompt);
    expect(prompts).toEqual(['on', 'off', '']);
  });

  it('that never ends is ended, and the next prompt is made', () => {
    const source =
      '{% if endless %}{% for i in range(9999) %}{% for j in range(9999) %}{% endfor %}{% endfor %}{% endif %}ok';
    const template = createTemplate({ source, bosToken: '', eosToken: '', timeoutMs: 200 });
    expect(refusal(() => render(template, { kwargs: { endless: true } })).message).toContain('takes too long');
    expect(render(template).prompt).toBe('ok');
  });

  it.each([
    [
      'a text that doubles',
      "{% set ns = namespace(t='ab') %}{% for i in range(60) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}{{ ns.t }}",
    ],
    [
      'an output that goes on',
      "{% set t = 'abcdefghij' %}{% for i in range(9999) %}{% for j in range(9999) %}{{ t }}{% endfor %}{% endfor %}",
    ],
    ['a long range', '{% for i in range(1000000000) %}x{% endfor %}'],
    [
      'a list that doubles',
      '{% set ns = namespace(l=[1, 2]) %}{% for i in range(60) %}{% set ns.l = ns.l + ns.l %}{% endfor %}',
    ],
    [
      'many long texts that are kept',
      "{% set ns = namespace(t='ab', l=[]) %}{% for i in range(20) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}{% for i in range(9999) %}{% set ns.l = ns.l + [(ns.t ~ i) | upper] %}{% endfor %}",
    ],
    [
      'many long lists that are kept',
      '{% set ns = namespace(l=[]) %}{% for i in range(9999) %}{% set ns.l = ns.l + [range(900000)] %}{% endfor %}',
    ],
    ['a wide indentation', "{{ 'a\\nb' | indent(400000000) }}"],
    ['a wide last row', "{{ [1] | batch(1000000000, 'x') | length }}"],
    ['a length that is no number', '{% set inf = 10.0 ** 400 %}{{ range(inf - inf) | length }}'],
    [
      'copies of a long list',
      '{% set l = range(900000) %}{% set ns = namespace(l=[]) %}{% for i in range(9999) %}{% set ns.l = ns.l + [list(l)] %}{% endfor %}',
    ],
    [
      'a replacement that multiplies',
      "{% set ns = namespace(t='aaaaaaaa') %}{% for i in range(30) %}{% set ns.t = ns.t | replace('a', 'aaaaaaaa') %}{% endfor %}",
    ],
  ])('that makes too much is ended before memory is: %s', (name, source) => {
    // Where one bound is meant, time is not to be the one that is met first.
    const limit = limits[name] ?? (name in bounds ? 60_000 : 4_000);
    const template = createTemplate({ source, bosToken: '', eosToken: '', timeoutMs: limit });
    const before = process.memoryUsage().rss;
    expect(refusal(() => render(template)).message).toMatch(
      bounds[name] ?? /cannot be used: it makes too much|takes too long/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 30);
  });

  it('knows the ranges of Python', () => {
    const source = '{{ range(3) }} {{ range(1, 3) }} {{ range(5, 0, -2) }} {{ range(2, 2) }}';
    expect(render(createTemplate({ source, bosToken: '', eosToken: '' })).prompt).toBe('[0, 1, 2] [1, 2] [5, 3, 1] []');
    const zero = createTemplate({ source: '{{ range(1, 2, 0) }}', bosToken: '', eosToken: '' });
    expect(refusal(() => render(zero)).message).toContain('step');
  });

  it('that is no Jinja is refused when it is read', () => {
    expect(refusal(() => createTemplate({ source: '{% if %}', bosToken: '', eosToken: '' })).param).toBe('model');
  });

  it('takes parts of text, and variables of the request', () => {
    const template = createTemplate({ source: '{{ messages[0].content }} {{ language }}', bosToken: '', eosToken: '' });
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ];
    expect(render(template, { messages, kwargs: { language: 'ko' } }).prompt).toBe('ab ko');
  });

  it('knows the date', () => {
    const template = createTemplate({ source: "{{ strftime_now('%d %B %Y') }}", bosToken: '', eosToken: '' });
    expect(render(template).prompt).toMatch(/^\d\d [A-Z][a-z]+ 20\d\d$/);
  });
});
