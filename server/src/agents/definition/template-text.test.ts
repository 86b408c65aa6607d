import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseReference, parseTemplate, valueAt, renderText, renderValue, textOf } from './template-text.ts';

const values: Record<string, unknown> = {
  input: { text: 'hello', data: { city: 'Seoul', list: [1, 2], 신청_내역: { 금액: 300 } }, files: [] },
  count: { count: 3 },
};
const lookup = ({ node, keys }: { node: string; keys: readonly string[] }) => valueAt(values[node], keys);
const render = (text: string) => renderText(parseTemplate(text), lookup);

describe('texts with placeholders', () => {
  test('placeholders are filled with results, also parts of them', () => {
    expect(render('Say {{input.text}} to {{ input.data.city }}, {{input.data.list.1}}!')).toBe(
      'Say hello to Seoul, 2!',
    );
    expect(render('{{input.data.신청_내역.금액}}원')).toBe('300원');
  });

  test('what is not there is empty; lists and objects are JSON', () => {
    expect(render('<{{input.nothing}}{{nobody.text}}>{{input.data}}{{count.count}}')).toBe(
      '<>{"city":"Seoul","list":[1,2],"신청_내역":{"금액":300}}3',
    );
  });

  test('a backslash makes braces of a placeholder', () => {
    expect(render('\\{{input.text}} {"a":{"b":1}} {{input.text}}')).toBe('{{input.text}} {"a":{"b":1}} hello');
  });

  test.each([
    '{{',
    '{{input}}',
    '{{input.text',
    '{{ }}',
    '{{Input.text}}',
    '{{input.text + 1}}',
    '{{input..text}}',
    '{{입력.text}}',
  ])('%s is told as a problem, and not rendered', (text) => {
    const template = parseTemplate(`ab ${text}`);
    expect(template.problem?.at).toBe(3);
    expect(() => renderText(template, lookup)).toThrow();
  });

  test('a template of one placeholder gives the value itself, others their text', () => {
    expect(renderValue(parseTemplate(' {{input.data.list}}\n'), lookup)).toEqual([1, 2]);
    expect(renderValue(parseTemplate('{{count.count}}.'), lookup)).toBe('3.');
    expect(renderValue(parseTemplate('\\{{'), lookup)).toBe('{{');
  });

  test('passages are numbered, with where they are from', () => {
    const passages = [
      { number: 3, document_name: 'rules.hwp', page: 2, content: 'Rule one.' },
      { number: 4, document_name: 'notes.md', page: null, content: 'Note.' },
    ];
    expect(textOf(passages)).toBe('[3] rules.hwp, p. 2\nRule one.\n\n[4] notes.md\nNote.');
  });

  test('a text that grows too long is refused', () => {
    const template = parseTemplate('{{input.text}}'.repeat(10));
    expect(() => renderText(template, lookup, 49)).toThrow(/longer than 49/);
    expect(renderText(template, lookup, 50)).toHaveLength(50);
  });

  test('no name reaches what a value inherits', () => {
    expect(valueAt({ text: 'a' }, ['constructor', 'name'])).toBeUndefined();
    expect(valueAt({}, ['__proto__'])).toBeUndefined();
    expect(valueAt('text', ['length'])).toBeUndefined();
    expect(valueAt([5], ['length'])).toBe(1);
    expect(parseReference('input.__proto__')).not.toBeNull();
  });
});

describe('any text', () => {
  test('is taken apart into what it was put together from', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/);
    const placeholder = fc.tuple(name, name).map(([node, key]) => `{{${node}.${key}}}`);
    const plain = fc.string({ minLength: 1 }).filter((text) => !/[{}\\]/.test(text));
    fc.assert(
      fc.property(fc.array(fc.oneof(placeholder, plain)), (pieces) => {
        const { parts, problem, placeholders } = parseTemplate(pieces.join(''));
        expect(problem).toBeNull();
        expect(parts.map((part) => (typeof part === 'string' ? part : `{{${part.reference}}}`)).join('')).toBe(
          pieces.join(''),
        );
        for (const { at, reference } of placeholders)
          expect(pieces.join('').slice(at + 2, at + 2 + reference.length)).toBe(reference);
      }),
    );
  });

  test('never breaks the parser', () => {
    const piece = fc.constantFrom('{{', '}}', '{', '}', '\\', 'a.b', ' ', 'ㄱ', 'input.text');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const template = parseTemplate(pieces.join(''));
        if (template.problem === null) expect(typeof renderText(template, () => 'x')).toBe('string');
        else expect(template.problem.at).toBeLessThan(pieces.join('').length);
      }),
    );
  });

  test('of many open braces is read at once', () => {
    expect(parseTemplate('\\{{'.repeat(30_000)).problem).toBeNull();
    expect(parseTemplate('{{a.b}}'.repeat(14_000)).placeholders).toHaveLength(14_000);
    expect(parseTemplate('{'.repeat(100_000)).problem?.at).toBe(0);
  });
});
