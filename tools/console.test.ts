import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Me } from '@ai-studio/contract/console/session.ts';
import { beforeAll, describe, expect, test } from 'vitest';

// Of the output that `npm test` has built before the tests; `npm run console` makes it by hand.

const output = join(import.meta.dirname, '../console/dist');
const read = (name: string) => readFileSync(join(output, name), 'utf8');

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}
interface Built {
  readonly sizes: { readonly raw: number; readonly br?: number; readonly gz?: number };
  readonly type: string;
}

let chunks: Record<string, Chunk>;
let files: Record<string, Built>;

beforeAll(() => {
  chunks = JSON.parse(read('.vite/manifest.json')) as typeof chunks;
  files = (JSON.parse(read('files.json')) as { files: typeof files }).files;
});

/** A chunk and all that it cannot run without. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const next of chunks[name]?.imports ?? []) withImports(next, seen);
  return seen;
}

/** Bytes on the way to a browser that takes gzip, which all do. */
const packed = (name: string) =>
  files[chunks[name]?.file ?? '']?.sizes.gz ?? files[chunks[name]?.file ?? '']?.sizes.raw ?? 0;
const sizeOf = (names: Iterable<string>) => [...new Set(names)].reduce((sum, name) => sum + packed(name), 0);

describe('the built console', () => {
  /** What the largest page takes, and little more. Wanted are 300 kB of compressed script. */
  const MAX_BYTES = 306_000;
  const entry = () => Object.keys(chunks).filter((name) => chunks[name]?.isEntry === true);
  const language = (name: string) => withImports(`src/i18n/${name}/index.ts`);
  const pages = () => Object.keys(chunks).filter((name) => /^src\/pages\/.*page\.tsx$/.test(name));
  /** What stands around a page, and comes with it. */
  const framesOf = (page: string) =>
    /^src\/pages\/chat\/(?:agent-|thread-)?page\.tsx$/.test(page)
      ? [...withImports('src/pages/chat/talks-page.tsx')]
      : [];

  test('shows each page within 306 kB of compressed script', () => {
    expect(entry()).toHaveLength(1);
    expect(pages().length).toBeGreaterThan(10);
    const first = entry().flatMap((name) => [...withImports(name)]);
    for (const words of ['ko', 'en']) {
      expect(sizeOf(language(words))).toBeGreaterThan(1_000);
      for (const page of pages()) {
        const size = sizeOf([...first, ...language(words), ...withImports(page), ...framesOf(page)]);
        expect(size, `${page} in ${words}`).toBeGreaterThan(100_000);
        expect(size, `${page} in ${words}`).toBeLessThan(MAX_BYTES);
      }
    }
  });

  test('leaves out the descriptions of the schemas', () => {
    const scripts = Object.keys(files).filter((name) => name.endsWith('.js'));
    const text = scripts.map(read).join('\n');
    expect(text).toContain('must_add_second_factor');
    for (const description of [Me.description, Me.shape.must_add_second_factor.description])
      expect(text).not.toContain(description);
  });

  test('fetches drawing and the colours of code when they are wanted', () => {
    const first = new Set(entry().flatMap((name) => [...withImports(name)]));
    const heavy = Object.keys(chunks).filter((name) => /shiki|uplot|react-markdown/.test(name));
    expect(heavy.length).toBeGreaterThan(20);
    expect(heavy.filter((name) => first.has(name))).toEqual([]);
  });

  test('names in its page what each address will need, so that it is asked for at once', () => {
    const given = /\}\)\((\[.*\])\)<\/script>/.exec(read('index.html'))?.[1] ?? '';
    const [names, words, addresses] = JSON.parse(`[${given}]`) as [
      string[],
      Record<string, number[]>,
      [string, number[]][],
    ];
    const filesOf = (places: readonly number[] = []) => places.map((place) => names[place]);
    for (const name of ['ko', 'en']) expect(filesOf(words[name])).toContain(chunks[`src/i18n/${name}/index.ts`]?.file);
    const first = entry()
      .flatMap((name) => [...withImports(name)])
      .map((name) => chunks[name]?.file);
    for (const [path, page] of [
      ['/chat', 'chat/page.tsx'],
      ['/chat', 'chat/talks-page.tsx'],
      ['/chat/4f1b', 'chat/thread-page.tsx'],
      ['/chat/agents/leave/7', 'chat/agent-page.tsx'],
      ['', 'overview/page.tsx'],
      ['/', 'overview/page.tsx'],
      ['/agents/7/build', 'agents/builder/builder-page.tsx'],
    ] as const) {
      const asked = filesOf(addresses.find(([pattern]) => new RegExp(pattern).test(path))?.[1]);
      for (const name of withImports(`src/pages/${page}`))
        expect([...asked, ...first], `${path} needs ${name}`).toContain(chunks[name]?.file);
      expect(
        asked.filter((name) => first.includes(name)),
        path,
      ).toEqual([]);
    }
    expect(addresses.length).toBeGreaterThan(25);
  });

  test('has every file compressed that can be, and none of the notes of its tools', () => {
    const scripts = Object.entries(files).filter(([name]) => /\.(?:js|css)$/.test(name));
    expect(scripts.length).toBeGreaterThan(20);
    for (const [name, { sizes }] of scripts) {
      if (sizes.raw < 500) continue;
      expect(sizes.br, name).toBeLessThan(sizes.raw);
      expect(sizes.gz, name).toBeLessThan(sizes.raw);
    }
    expect(Object.keys(files).filter((name) => /(?:^|\/)\.|\.map$|\.(?:br|gz)$/.test(name))).toEqual([]);
  });

  test('lets scripts and styles of its page run by nonce, and loads nothing from elsewhere', () => {
    const page = read('index.html');
    for (const [tag] of page.matchAll(/<(?:script|style|link rel="(?:stylesheet|modulepreload)")[^>]*>/g))
      expect(tag).toContain('nonce="__STUDIO_NONCE__"');
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(page).not.toMatch(/ style="| on\w+="/);
    const styles = Object.keys(files).filter((name) => name.endsWith('.css'));
    for (const name of styles) expect(read(name).match(/url\((?!["']?\/console\/)[^)]*\)|@import/g), name).toBe(null);
    expect(Object.keys(files).filter((name) => name.endsWith('.woff2')).length).toBeGreaterThan(80);
  });
});
