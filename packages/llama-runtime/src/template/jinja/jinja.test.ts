import { describe, expect, it } from 'vitest';
import { createTemplate } from '../index.ts';
import { refused, rendered } from './jinja.fixture.ts';

const render = (source: string, kwargs: Readonly<Record<string, unknown>> = {}) =>
  createTemplate({ source, bosToken: '', eosToken: '' }).render({ messages: [], tools: null, kwargs, thinking: null })
    .prompt;

describe('a template is rendered as Jinja of Python does', () => {
  it.each(rendered)('%s', (template, text) => {
    expect(render(template)).toBe(text);
  });

  it.each(refused)('what it refuses is refused: %s', (template) => {
    expect(() => render(template)).toThrow(/refuses the messages/);
  });

  it('says the time in the words of strftime', () => {
    const now = new Date();
    expect(render("{{ strftime_now('%Y-%m-%d %j %p %-d %F %% %Q') }}")).toMatch(
      new RegExp(
        `^${now.getFullYear()}-\\d\\d-\\d\\d \\d{3} [AP]M ${now.getDate()} ${now.getFullYear()}-\\d\\d-\\d\\d % %Q$`,
      ),
    );
  });

  it('takes what a request says as data: methods are found by a dot, keys by brackets', () => {
    const source =
      "{{ schema.items() | map('first') | join(',') }} {{ schema['items'].type }} {{ schema.properties.get.type }}";
    const schema = { items: { type: 'string' }, properties: { get: { type: 'integer' } } };
    expect(() => render(source, { schema })).not.toThrow();
    expect(render("{{ schema.items() | map('first') | join(',') }} {{ schema['items'].type }}", { schema })).toBe(
      'items,properties string',
    );
  });

  it('does not reach what a value is made of', () => {
    expect(
      render("{{ x.constructor is defined }} {{ x['__proto__'] is defined }} {{ 'a'.constructor is defined }}", {
        x: {},
      }),
    ).toBe('False False False');
  });

  it('ends macros that call each other without end', () => {
    expect(() => render('{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}')).toThrow(/cannot be used/);
  });
});
