import { describe, expect, test } from 'vitest';
import { StudioError } from '../../kernel/errors.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { isBase64, isBase64Within } from './base64.ts';
import { createPrepare } from './prepare.ts';

const prepare = createPrepare({
  catalogue: createCatalogue({ models: { all: { images: true, inputs: ['audio', 'file', 'video'] }, none: {} } }),
  maxJsonBytes: 10_000,
});

/** Base64 of so many bytes. */
const data = (bytes: number) => Buffer.alloc(bytes, 'sound').toString('base64');

const parts = {
  image_url: (text: string) => ({ url: `data:image/png;base64,${text}` }),
  video_url: (text: string) => ({ url: `data:video/mp4;base64,${text}` }),
  input_audio: (text: string) => ({ data: text, format: 'wav' }),
  file: (text: string) => ({ file_data: `data:application/pdf;base64,${text}`, filename: 'a.pdf' }),
} as const;
const kinds = ['image_url', 'video_url', 'input_audio', 'file'] as const;
const places = { image_url: 'url', video_url: 'url', input_audio: 'data', file: 'file_data' } as const;

function ask(content: readonly unknown[], { model = 'all', after = '' } = {}) {
  const messages = [{ role: 'user', content: [{ type: 'text', text: `Look${after}` }, ...content] }];
  const bytes = Buffer.from(JSON.stringify({ model, messages }));
  try {
    const { body } = prepare(bytes, null);
    return { sent: body.request.messages[0]?.content };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { param: error.param, message: error.message, code: error.code };
  }
}
const part = (kind: (typeof kinds)[number], text: string) => ({ type: kind, [kind]: parts[kind](text) });

describe.each(kinds)('a part %s', (kind) => {
  test.each([4, 3_000, 300_000])('of %d bytes goes on as it is, also in a body beyond the limit of text', (size) => {
    const given = part(kind, data(size));
    expect(ask([given]).sent).toEqual([{ type: 'text', text: 'Look' }, given]);
    const after = 'a text '.repeat(1_000);
    expect(ask([given], { after }).sent).toEqual([{ type: 'text', text: `Look${after}` }, given]);
  });

  test('is refused by name for a model that does not take it', () => {
    const refused = { code: 'invalid_request', param: 'messages[0].content[1]' };
    expect(ask([part(kind, data(4))], { model: 'none' })).toMatchObject(refused);
    expect(ask([part(kind, data(300_000))], { model: 'none' })).toMatchObject(refused);
  });

  test.each([4, 300_000])('of %d bytes that is damaged is refused by name', (size) => {
    const whole = data(size);
    const half = whole.length / 2;
    const damaged = [
      whole.slice(0, -1),
      whole.slice(1),
      `${whole.slice(0, half)}!${whole.slice(half + 1)}`,
      `${whole.slice(0, half)}_${whole.slice(half + 1)}`,
      `${whole.slice(0, half)} ${whole.slice(half)}`,
      '',
    ];
    for (const text of damaged)
      expect(ask([part(kind, data(8)), part(kind, text)])).toMatchObject({
        code: 'invalid_request',
        param: `messages[0].content[2].${kind}.${places[kind]}`,
      });
  });
});

test('what only looks like a damaged image is text', () => {
  const text = `see data:image/png;base64,${'!'.repeat(20_000)}`;
  const given = part('image_url', data(30_000));
  expect(ask([{ type: 'text', text }, given]).sent).toHaveLength(3);
});

test('addresses of videos and files are not fetched by engines', () => {
  for (const [kind, place] of [
    ['video_url', { url: 'http://10.0.0.1/a.mp4' }],
    ['video_url', { url: 'file:///etc/passwd' }],
    ['file', { file_data: 'https://a.example/a.pdf' }],
  ] as const)
    expect(ask([{ type: kind, [kind]: place }]).param).toBe(`messages[0].content[1].${kind}.${places[kind]}`);
  expect(ask([{ type: 'file', file: { file_id: 'file-1' } }]).param).toContain('messages[0].content[1].file');
});

describe('base64', () => {
  test.each(['', 'A', 'AA', 'AAA', 'AAAA=', 'A===', 'AA=A', 'AAAA\n', 'AA-A', 'AA A', 'AAAé'])('is not %j', (text) => {
    expect(isBase64(text)).toBe(false);
    const bytes = Buffer.from(`x${text}x`, 'latin1');
    expect(isBase64Within(bytes, 1, bytes.length - 1)).toBe(false);
  });

  test.each(['AAAA', 'AAA=', 'AA==', 'AA+/'])('is %j', (text) => {
    expect(isBase64(text)).toBe(true);
    expect(isBase64(`data:${text}`, 5)).toBe(true);
    expect(isBase64Within(Buffer.from(`x${text}x`), 1, text.length + 1)).toBe(true);
  });

  test('has its padding at the end alone, however long it is', () => {
    const long = data(300_000);
    expect(isBase64(long)).toBe(true);
    expect(isBase64(`${data(49_151)}${data(100)}`)).toBe(false);
    expect(isBase64(`${long}AAAA`)).toBe(true);
  });
});
