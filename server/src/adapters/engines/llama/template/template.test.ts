import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../../ports/engine.ts';
import { type ChatTemplate, type RenderOptions, createTemplate } from './index.ts';
import { families } from './families.fixture.ts';

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

const render = (template: ChatTemplate, options: Partial<RenderOptions> = {}) =>
  template.render({ messages: question, tools: null, kwargs: {}, thinking: null, ...options });

function refusal(work: () => unknown): EngineError {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

describe.each(families)('$name', ({ source, family, tools, thinking, prompts }) => {
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
      ...(name.includes('off') ? { thinking: false } : {}),
      ...(name.includes('on') ? { thinking: true } : {}),
    };
    const rendered = render(template, options);
    expect(rendered.prompt).toBe(wanted.text);
    expect(rendered.thinkingOpen).toBe(wanted.open ?? false);
    expect(rendered.prompt).not.toContain('비밀');
  });
});

describe('a template', () => {
  it('that knows no tools refuses them in words', () => {
    const template = createTemplate({ source: '{{ messages[0].content }}', bosToken: '', eosToken: '' });
    const { kind, param, detail } = refusal(() => render(template, { tools: [weather] }));
    expect({ kind, param }).toEqual({ kind: 'refused', param: 'tools' });
    expect(detail).toContain('knows no tools');
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
    expect(refusal(() => render(template)).detail).toContain('Roles must alternate');
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
