import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import * as word from '../../test/docx.ts';
import { standardLimits } from '../reader.ts';
import { fillTemplate } from '../write/fill/index.ts';
import { inflateInScript } from './inflate-in-script.ts';

test('a template is unpacked without streams of zlib: a thread that is ended while it opens one takes the process with it', async () => {
  const template = word.writeDocx({ body: word.paragraph(word.run('{{name}}')) });
  const opened: string[] = [];
  const hook = createHook({ init: (_id, type) => void opened.push(type) }).enable();
  try {
    expect(await fillTemplate(template, { name: '홍길동' }, standardLimits)).toMatchObject({ unfilled: [] });
    expect(opened).not.toContain('ZLIB');
    inflateRawSync(deflateRawSync('가'));
    expect(opened).toContain('ZLIB');
  } finally {
    hook.disable();
  }
});

test.each([0, 6])('what was packed comes out as it was, at level %i', async (level) => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('가'), randomBytes(100_000), Buffer.alloc(3_000_000, '가나')]) {
    const packed = deflateRawSync(bytes, { level });
    const out = await inflateInScript(packed, bytes.length, bytes.length, crc32(bytes));
    expect(out?.damaged).toBe(false);
    expect(bytes.equals(out?.bytes ?? randomBytes(1))).toBe(true);
    if (bytes.length > 0) expect(await inflateInScript(packed, bytes.length - 1, bytes.length, 0)).toBeNull();
  }
});

test('what is cut off, another or no packed data is damaged', async () => {
  const bytes = Buffer.alloc(100_000, '가나다');
  const packed = deflateRawSync(bytes);
  for (const [data, crc] of [
    [packed.subarray(0, packed.length - 2), 0],
    [packed, 1],
    [Buffer.from([255, 255, 255]), 0],
  ] as const)
    expect(await inflateInScript(data, bytes.length, bytes.length, crc)).toMatchObject({ damaged: true });
});
