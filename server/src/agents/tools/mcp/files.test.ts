import { expect, test } from 'vitest';
import { mcpFile } from './files.ts';

test('what is no file, or cannot be read, is none', () => {
  for (const part of [
    { type: 'text', text: 'x' },
    { type: 'resource_link', uri: 'https://a.kr/x.pdf' },
    { type: 'image', mimeType: 'image/png', data: 'not base64!' },
    { type: 'image', mimeType: 'image/png' },
    { type: 'audio', data: '' },
    { type: 'resource' },
    { type: 'resource', resource: {} },
    { type: 'resource', resource: { uri: 'file:///empty.txt', text: '' } },
  ])
    expect(mcpFile(part, 0)).toBeNull();
});

test('a file has a name and a media type, whatever its server leaves out', () => {
  const named = (resource: object) => {
    const { name, mediaType } = mcpFile({ type: 'resource', resource }, 2) ?? {};
    return [name, mediaType];
  };
  expect(named({ uri: 'no address', blob: 'AAAA' })).toEqual(['resource-3.bin', 'application/octet-stream']);
  expect(named({ uri: 'https://a.kr/%E0%A4', blob: 'AAAA' })).toEqual(['%E0%A4', 'application/octet-stream']);
  expect(named({ uri: 'https://a.kr/t.csv', text: 'a' })).toEqual(['t.csv', 'text/csv']);
  expect(named({ uri: 'https://a.kr/', text: 'a', mimeType: 'Text/HTML; charset=utf-8' })).toEqual([
    'resource-3.html',
    'text/html',
  ]);
  expect(mcpFile({ type: 'image', data: 'AAAA' }, 0)).toMatchObject({ name: 'image-1.bin' });
});
