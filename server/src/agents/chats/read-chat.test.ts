import { expect, test } from 'vitest';
import { readAgentChat } from './read-chat.ts';

const picture = (url: string) =>
  readAgentChat(
    { model: 'agent/x', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] },
    'x',
  ).files;

test('files come as data: URLs in base64', () => {
  expect(picture('data:image/png;base64,QUJD')).toEqual([
    { name: 'image-1.png', mediaType: 'image/png', bytes: Buffer.from('ABC') },
  ]);
  expect(picture('data:;base64,QU I=\n=')).toMatchObject([{ mediaType: 'application/octet-stream' }]);
  for (const url of [
    'https://example.kr/a.png',
    'data:image/png,ABC',
    'data:;base64,',
    'data:;base64,QU=JD',
    'data:;base64,Q!',
  ])
    expect(() => picture(url), url).toThrow(/must be a data: URL/);
});

test('a long text that is no base64 is refused in one pass', () => {
  expect(() => picture(`data:;base64,${' '.repeat(2_000_000)}!`)).toThrow(/must be a data: URL/);
});
