import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pictureType } from './picture-type.ts';

test('a picture is known by what it holds, whatever it is called', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  const typeOf = async (bytes: string) => {
    const path = join(folder, 'file.txt');
    await writeFile(path, Buffer.from(bytes, 'latin1'));
    return pictureType(path);
  };
  expect(await typeOf('\x89PNG\r\n\x1a\n....')).toBe('image/png');
  expect(await typeOf('\xff\xd8\xff\xe0')).toBe('image/jpeg');
  expect(await typeOf('GIF89a..')).toBe('image/gif');
  expect(await typeOf('RIFF....WEBPVP8 ')).toBe('image/webp');
  for (const other of ['', 'PNG', 'RIFF....WAVE', '<svg/>', '%PDF-1.7']) expect(await typeOf(other)).toBeNull();
  await rm(folder, { recursive: true });
});
