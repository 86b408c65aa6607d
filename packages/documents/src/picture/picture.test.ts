import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PdfWriter } from '../../test/pdf.ts';
import { failures, silent } from '../../test/quiet.ts';
import { type ParsePool, createParsePool } from '../sandbox/pool.ts';
import { pagePicture } from './index.ts';
import { encodePng } from './png.ts';

/** The pixels of a PNG file of ours: filter "up" in every row. Source: PNG specification. */
function pixelsOf(png: Uint8Array) {
  const all = Buffer.from(png);
  const [width, height, channels] = [all.readUInt32BE(16), all.readUInt32BE(20), all[25] === 0 ? 1 : 3];
  const rows = inflateSync(all.subarray(41, 41 + all.readUInt32BE(33)));
  const line = width * channels;
  const data = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++) {
    expect(rows[y * (line + 1)]).toBe(2);
    for (let x = 0; x < line; x++)
      data[y * line + x] = (rows[y * (line + 1) + 1 + x]! + (y === 0 ? 0 : data[(y - 1) * line + x]!)) & 255;
  }
  const at = (x: number, y: number) => [...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels)];
  return { width, height, channels, at };
}

test('a PNG file holds the very pixels, grey ones in a third of the room', () => {
  const size = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(size, size, fc.boolean(), fc.infiniteStream(fc.nat(255)), (width, height, grey, values) => {
      const stride = width * 4 + 8;
      const data = new Uint8Array(stride * height);
      for (let at = 0; at < data.length; at += 4) {
        const next = () => values.next().value as number;
        const [blue, green, red] = grey
          ? Array.from(
              { length: 3 },
              (
                (value) => () =>
                  value
              )(next()),
            )
          : [next(), next(), next()];
        data.set([blue!, green!, red!, 0], at);
      }
      const read = pixelsOf(encodePng({ width, height, stride, data }));
      expect([read.width, read.height]).toEqual([width, height]);
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const from = y * stride + x * 4;
          const [blue, green, red] = data.subarray(from, from + 3);
          expect(read.at(x, y)).toEqual(read.channels === 1 ? [red] : [red, green, blue]);
        }
    }),
  );
});

describe('the picture of a page', () => {
  const page = () => {
    const writer = new PdfWriter();
    writer.page({ width: 200, height: 100 }).fill(0, 0, 100, 50, [1, 0, 0]);
    writer.page({ width: 200, height: 100, rotate: 90 }).fill(0, 0, 100, 50, [0, 0, 1]);
    writer.page({ width: 10, height: 14_000 });
    return writer.bytes();
  };

  test('looks as the page does, as wide as was asked for', async () => {
    const { width, height, at } = pixelsOf((await pagePicture(page(), 1, 400)).png);
    expect([width, height]).toEqual([400, 200]);
    expect([at(50, 50), at(350, 50), at(50, 150)]).toEqual([
      [255, 0, 0],
      [255, 255, 255],
      [255, 255, 255],
    ]);
  });

  test('is turned as the page is', async () => {
    const { width, height, at } = pixelsOf((await pagePicture(page(), 2, 100)).png);
    expect([width, height]).toEqual([100, 200]);
    expect([at(75, 50), at(25, 50)]).toEqual([
      [0, 0, 255],
      [255, 255, 255],
    ]);
  });

  test('stands upright where its text is written sideways, as it is read', async () => {
    const writer = new PdfWriter();
    const sideways = writer.page({ width: 300, height: 200 });
    for (let line = 0; line < 8; line++) sideways.text(20 + line * 14, 180, 'written from below', { angle: 90 });
    const { width, height } = pixelsOf((await pagePicture(writer.bytes(), 1, 200)).png);
    expect([width, height]).toEqual([200, 300]);
  });

  test('has a bounded number of pixels, however long the page is', async () => {
    const { width, height } = pixelsOf((await pagePicture(page(), 3, 2_400)).png);
    expect(width * height).toBeLessThan(8_100_000);
  });

  test('is refused for what has none', async () => {
    await expect(pagePicture(page(), 4, 400)).rejects.toMatchObject({ code: 'CORRUPTED' });
    await expect(pagePicture(Buffer.from('글'), 1, 400)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

describe('drawing in a process of its own', () => {
  let folder: string;
  let pool: ParsePool;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ai-studio-draw-'));
    pool = createParsePool({
      folder,
      heapMb: 128,
      memoryBytes: 400 * 1024 * 1024,
      size: 1,
      maxQueue: 5,
      failures,
      log: silent,
    });
  });
  afterAll(async () => {
    await pool.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const draw = (content: Uint8Array, signal = new AbortController().signal) => {
    const path = join(folder, 'file');
    writeFileSync(path, content);
    return pool.draw('a', { path, picture: { page: 1, width: 120 } }, { timeoutMs: 90_000, signal });
  };

  test('gives pictures one after the other, refusals between them', async () => {
    const writer = new PdfWriter();
    writer.page({ width: 200, height: 100 });
    expect(pixelsOf((await draw(writer.bytes())).png).width).toBe(120);
    await expect(draw(Buffer.from('%PDF-1.4 nothing'))).rejects.toMatchObject({ code: 'CORRUPTED' });
    expect(pixelsOf((await draw(writer.bytes())).png).height).toBe(60);
  });

  test('whoever goes away before their turn waits no longer, and disturbs nobody', async () => {
    const writer = new PdfWriter();
    writer.page();
    const gone = new AbortController();
    const [first, second] = [draw(writer.bytes()), draw(writer.bytes(), gone.signal)];
    gone.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    expect(pixelsOf((await first).png).width).toBe(120);
  });
});
