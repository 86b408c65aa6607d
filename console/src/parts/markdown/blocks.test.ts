import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitBlocks } from './blocks.ts';

const texts = (markdown: string) => splitBlocks(markdown).map(({ text }) => text);

describe('a Markdown text', () => {
  test('is taken apart at empty lines', () => {
    expect(texts('# One\n\nTwo\nstill two\n\n\n| a |\n| - |\n| b |')).toEqual([
      '# One',
      'Two\nstill two',
      '| a |\n| - |\n| b |',
    ]);
  });

  test('keeps lists whole, with what is in them', () => {
    const list = '1. one\n\n   more of one\n\n2. two\n\n\t- inner';
    expect(texts(`before\n\n${list}\n\nafter`)).toEqual(['before', list, 'after']);
  });

  test('goes on with a long list as another one, which counts on', () => {
    const items = Array.from({ length: 150 }, () => '1. one\n   more of it');
    const [first, second, ...rest] = texts(`${items.join('\n')}\n\nafter`);
    expect(first).toBe(items.slice(0, 30).join('\n'));
    expect(second?.split('\n').slice(0, 3)).toEqual(['31. one', '   more of it', '1. one']);
    expect(rest.map((text) => text.split('\n')[0])).toEqual(['61. one', '91. one', '121. one', 'after']);
    expect(texts(Array.from({ length: 70 }, () => '- one').join('\n')).map((text) => text.split('\n').length)).toEqual([
      60, 10,
    ]);
    // Not within an item.
    const nested = `- one\n${Array.from({ length: 100 }, () => '  - inner').join('\n')}`;
    expect(texts(nested)).toEqual([nested]);
  });

  test('keeps code in lists, empty lines in it too', () => {
    const list = '1. one\n\n   ```js\n   a\n\n   b\n   ```\n\n2. two';
    expect(texts(`${list}\n\nafter`)).toEqual([list, 'after']);
    expect(texts('- one\n  ```\n  half')).toEqual(['- one\n  ```\n  half']);
    expect(texts('- one\n  ```\n  half\nat the margin\n\nafter')).toEqual([
      '- one\n  ```\n  half\nat the margin',
      'after',
    ]);
  });

  test('has its code as blocks of their own, whatever stands in it', () => {
    expect(splitBlocks('See:\n```ts title="x"\nconst a = 1;\n\n# no heading\n``\n```\nafter')).toEqual([
      { kind: 'text', text: 'See:' },
      { kind: 'code', text: 'const a = 1;\n\n# no heading\n``', language: 'ts', closed: true },
      { kind: 'text', text: 'after' },
    ]);
  });

  test('ends code only with a fence of its own kind and length', () => {
    expect(splitBlocks('~~~~md\n```\n~~~\n~~~~')).toEqual([
      { kind: 'code', text: '```\n~~~', language: 'md', closed: true },
    ]);
  });

  test('shows code before its end is here', () => {
    expect(splitBlocks('```\nhalf')).toEqual([{ kind: 'code', text: 'half', language: null, closed: false }]);
    expect(splitBlocks('text with ``` inside')).toEqual([{ kind: 'text', text: 'text with ``` inside' }]);
  });

  test('takes the addresses of named links to where they are used', () => {
    expect(texts('See [docs].\n\nNo link.\n\n[docs]: https://example.com')).toEqual([
      'See [docs].\n\n[docs]: https://example.com',
      'No link.',
      '[docs]: https://example.com',
    ]);
  });
});

const line = fc.constantFrom(
  'text',
  '# head',
  '- item',
  '  inner',
  '  ```',
  '```',
  '```js',
  '~~~',
  '',
  '',
  '> quote',
  '1. one',
);

test('blocks that are complete do not change while the text grows', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 10 }), (before, after) => {
      const grown = splitBlocks([...before, ...after].join('\n'));
      const complete = splitBlocks(before.join('\n')).slice(0, -1);
      expect(grown.slice(0, complete.length)).toEqual(complete);
    }),
  );
});

test('nothing that is written is lost', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const written = lines.filter((one) => one.trim() !== '' && !/^(?:```|~~~)/.test(one.trim()));
      const shown = splitBlocks(lines.join('\n')).flatMap(({ text }) =>
        text.split('\n').filter((one) => one.trim() !== ''),
      );
      expect(shown.filter((one) => !/^(?:```|~~~)/.test(one.trim()))).toEqual(written);
    }),
  );
});
