import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { times } from '../../../test/support/long.ts';
import { encodeWav, resample } from '../../../test/support/sound.ts';
import { detectContainer } from './container.ts';
import { createAudioDecoder } from './decoder.ts';
import { createEncoder, ownFormats, type OwnFormat } from './encode.ts';
import { createMeasure } from './measure.ts';
import { createOggWriter, oggPackets } from './ogg.ts';
import { withWavLength } from './wav.ts';

const run = promisify(execFile);
const options = { concurrency: 2, timeoutMs: 30_000, maxSeconds: 10 };
const decoder = createAudioDecoder({ ...options, ffmpeg: 'ffmpeg' });
const { signal } = new AbortController();
const RATE = 22_050;
const SECONDS = 3;
/** A tone of 440 Hz. */
const tone = Float32Array.from({ length: RATE * SECONDS }, (_, i) => 0.5 * Math.sin((2 * Math.PI * 440 * i) / RATE));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ai-studio-audio-'));
});
afterAll(async () => {
  await decoder.close();
  await rm(folder, { recursive: true, force: true });
});

/** Crossings of zero tell the pitch. */
const pitchOf = (samples: Float32Array, rate: number) => {
  let crossings = 0;
  for (let i = 1; i < samples.length; i++) if ((samples[i - 1] ?? 0) < 0 !== (samples[i] ?? 0) < 0) crossings++;
  return crossings / 2 / (samples.length / rate);
};
const loudnessOf = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);

const encodings = new Map<string, Promise<Buffer>>();
/** The tone as the product writes it; made once. */
function encoded(format: OwnFormat, piece: number): Promise<Buffer> {
  const known = encodings.get(`${format} ${piece}`) ?? encodeTone(format, piece);
  encodings.set(`${format} ${piece}`, known);
  return known;
}
async function encodeTone(format: OwnFormat, piece: number): Promise<Buffer> {
  const encoder = await createEncoder(format, RATE);
  const parts: Buffer[] = [];
  for (let at = 0; at < tone.length; at += piece) parts.push(encoder.add(tone.subarray(at, at + piece)));
  parts.push(await encoder.end());
  return Buffer.concat(parts);
}

const written = new Map<string, Promise<string>>();
/** The tone as ffmpeg writes it; made once. */
function writtenByFfmpeg(name: string, coding: readonly string[] = []): Promise<string> {
  const known = written.get(name) ?? writeByFfmpeg(name, coding);
  written.set(name, known);
  return known;
}
async function writeByFfmpeg(name: string, coding: readonly string[]): Promise<string> {
  const source = join(folder, 'source.wav');
  await writeFile(source, encodeWav({ samples: tone, sampleRate: RATE }));
  const path = join(folder, name);
  await run('ffmpeg', ['-y', '-loglevel', 'error', '-i', source, ...coding, path]);
  return path;
}

/** Samples of a file, as they are written to another. */
async function decodeFile(path: string, sampleRate = 16_000): Promise<{ samples: Float32Array; seconds: number }> {
  const target = `${path}.pcm`;
  const { seconds } = await decoder.decode({ path, target, sampleRate }, signal);
  const bytes = await readFile(target);
  const samples = Float32Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(i * 2) / 32_768);
  expect(samples.length / sampleRate).toBeCloseTo(seconds, 6);
  return { samples, seconds };
}

async function decode(bytes: Uint8Array, rate = 16_000) {
  const path = join(folder, `${Math.random()}`);
  await writeFile(path, bytes);
  return decodeFile(path, rate);
}

function expectTone(samples: Float32Array, rate = 16_000): void {
  expect(Math.abs(samples.length / rate - SECONDS) / SECONDS).toBeLessThan(0.02);
  // The middle, as some coders have silence at the ends.
  const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4);
  expect(pitchOf(middle, rate)).toBeCloseTo(440, -1);
  expect(loudnessOf(middle)).toBeCloseTo(0.354, 1);
}

describe('what is written can be read', () => {
  test.each(['wav', 'mp3', 'opus', 'flac'] as const)('%s', async (format) => {
    const { samples } = await decode(await encoded(format, 3_000));
    expectTone(samples);
  });

  test('pcm is 16 bits at 24 kHz', async () => {
    const bytes = await encoded('pcm', 3_000);
    const samples = Float32Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(i * 2) / 32_768);
    expectTone(samples, 24_000);
  });

  test.each(ownFormats)('%s is the same in whatever pieces it comes', async (format) => {
    const [small, large] = [await encoded(format, 777), await encoded(format, tone.length)];
    if (format === 'mp3' || format === 'opus') expect(Math.abs(small.length - large.length)).toBeLessThan(6_000);
    else expect(small.equals(large)).toBe(true);
  });

  test('a WAV file that came as a stream is given its length', async () => {
    const bytes = withWavLength(await encoded('wav', 3_000));
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
  });
});

describe('sound that passes by is measured', () => {
  test.each(ownFormats)('%s, in whatever pieces it comes', async (format) => {
    const bytes = await encoded(format, 3_000);
    for (const piece of [bytes.length, 1_000, 7]) {
      const measure = createMeasure(format);
      for (let at = 0; at < bytes.length; at += piece) measure.add(bytes.subarray(at, at + piece));
      const seconds = measure.seconds();
      if (format === 'flac') expect(seconds).toBeNull();
      else expect(Math.abs((seconds ?? 0) - SECONDS) / SECONDS).toBeLessThan(0.05);
    }
  });

  test('what is none has no length', () => {
    for (const format of ['mp3', 'opus', 'wav'] as const) {
      const measure = createMeasure(format);
      measure.add(Buffer.from('ID3 not a sound at all'));
      expect(measure.seconds()).toBeNull();
    }
  });
});

describe('what other programs write', () => {
  test.each([
    ['a.mp3', []],
    ['a.wav', ['-c:a', 'pcm_s24le', '-ac', '2', '-ar', '44100', '-af', 'pan=stereo|c0=c0|c1=c0']],
    ['alaw.wav', ['-c:a', 'pcm_alaw']],
    ['mulaw.wav', ['-c:a', 'pcm_mulaw']],
    ['float.wav', ['-c:a', 'pcm_f32le']],
    ['a.m4a', ['-c:a', 'aac']],
    ['a.flac', []],
    ['24.flac', ['-sample_fmt', 's32', '-bits_per_raw_sample', '24', '-ac', '2', '-af', 'pan=stereo|c0=c0|c1=c0']],
    ['a.ogg', ['-c:a', 'libvorbis']],
    ['flac.ogg', ['-c:a', 'flac']],
    ['a.webm', ['-c:a', 'libopus']],
    ['vorbis.webm', ['-c:a', 'libvorbis']],
    ['a.aac', ['-ar', '44100']],
    ['a.wma', []],
    ['a.opus', []],
  ])('%s', async (name, coding) => {
    const { samples } = await decodeFile(await writtenByFfmpeg(name, coding));
    expectTone(samples);
  });
});

describe('without ffmpeg', () => {
  const bare = createAudioDecoder({ ...options, ffmpeg: 'no-such-program' });
  afterAll(() => bare.close());
  const decodeBare = async (name: string, coding: readonly string[]) => {
    const path = await writtenByFfmpeg(name, coding);
    return bare.decode({ path, target: `${path}.bare`, sampleRate: 16_000 }, signal);
  };

  test.each([
    ['a.m4a', [], 'M4A (MP4)'],
    ['a.aac', ['-ar', '44100'], 'AAC'],
    ['a.wma', [], 'WMA'],
    ['aac.mkv', ['-c:a', 'aac'], 'WebM or Matroska with AAC'],
  ])('it is said what %s needs', async (name, coding, format) => {
    await expect(decodeBare(name, coding)).rejects.toMatchObject({
      code: 'needs_ffmpeg',
      format,
      message: expect.stringMatching(/apt-get install ffmpeg.*convert the file to WAV/),
    });
  });

  test('the same is said of a program that was removed since it was found', async () => {
    const program = join(folder, 'removable');
    await writeFile(program, '#!/bin/sh\nexec ffmpeg "$@"\n', { mode: 0o755 });
    const one = createAudioDecoder({ ...options, ffmpeg: program });
    const path = await writtenByFfmpeg('a.aac', ['-ar', '44100']);
    const task = { path, target: `${path}.removable`, sampleRate: 16_000 };
    await expect(one.decode(task, signal)).resolves.toMatchObject({ container: 'aac' });
    await rm(program);
    await expect(one.decode(task, signal)).rejects.toMatchObject({ code: 'needs_ffmpeg', format: 'AAC' });
    await one.close();
  });

  test.each([
    ['a.webm', 'libopus'],
    ['vorbis.webm', 'libvorbis'],
  ])('%s needs nothing', async (name, codec) => {
    const { seconds } = await decodeBare(name, ['-c:a', codec]);
    expect(Math.abs(seconds - SECONDS) / SECONDS).toBeLessThan(0.02);
  });
});

test('an MP3 file that begins within a frame, as one that was cut, is known and read', async () => {
  const whole = await encoded('mp3', 3_000);
  const cut = whole.subarray(Math.floor(whole.length / 3));
  expect(detectContainer(cut)).toBe('mp3');
  const { seconds } = await decode(cut);
  expect(Math.abs(seconds - (SECONDS * 2) / 3)).toBeLessThan(0.3);
});

describe('what cannot be read', () => {
  test.each([
    ['nothing', '', 'empty'],
    ['text', 'not a sound at all, but words', 'unsupported'],
    ['a head alone', 'RIFF\0\0\0\0WAVE', 'corrupted'],
    ['an Ogg of nothing', `OggS${'\0'.repeat(60)}`, 'unsupported'],
    ['FLAC of noise', `fLaC${'x'.repeat(5_000)}`, 'corrupted'],
    ['WebM of noise', `\u001A\u0045\u00DF\u00A3${'x'.repeat(5_000)}`, 'corrupted'],
    ['MP4 of noise', `\0\0\0\u0018ftypM4A ${'x'.repeat(5_000)}`, 'corrupted'],
    ['MP3 of one frame head', '\u00FF\u00FB\u0090\u0064', 'corrupted'],
  ])('%s', async (_name, text, code) => {
    await expect(decode(Buffer.from(text, 'latin1'))).rejects.toMatchObject({ code });
  });

  test('a recording that is too long', async () => {
    const long = encodeWav({ samples: new Float32Array(8_000 * 11), sampleRate: 8_000 });
    await expect(decode(long)).rejects.toMatchObject({ code: 'too_long' });
  });

  test('any bytes after the mark of a container give sound or a reason', async () => {
    const marks = [
      'RIFF\0\0\0\0WAVEfmt ',
      'fLaC',
      'OggS',
      '\u001A\u0045\u00DF\u00A3',
      '\u00FF\u00FB\u0090\u0064',
      'ID3\u0004',
    ];
    for (const mark of marks)
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (rest) => {
          const outcome = await decode(Buffer.concat([Buffer.from(mark, 'latin1'), rest])).then(
            ({ samples }) => samples.length > 0,
            (error: { code?: unknown }) =>
              ['unsupported', 'corrupted', 'too_long', 'empty', 'needs_ffmpeg'].includes(String(error.code)),
          );
          expect(outcome).toBe(true);
        }),
        { numRuns: times(1, 70) },
      );
  });

  test('one that nobody waits for is ended', async () => {
    const ending = new AbortController();
    const path = join(folder, 'long.wav');
    await writeFile(path, encodeWav({ samples: new Float32Array(8_000 * 9), sampleRate: 8_000 }));
    const decoding = decoder.decode({ path, target: `${path}.pcm`, sampleRate: 16_000 }, ending.signal);
    ending.abort(new Error('gone'));
    await expect(decoding).rejects.toThrow('gone');
  });
});

test('a container is known by its bytes', () => {
  const known = (text: string) => detectContainer(Buffer.from(text, 'latin1'));
  expect(known('\u00FF\u00F1\u0050\u0080')).toBe('aac');
  expect(known('\u00FF\u00FB\u0090\u0064')).toBe('mp3');
  expect(known('ID3\u0004\0\0\0\0\0\u0004xxxx\u00FF\u00FB\u0090\u0064')).toBe('mp3');
  expect(known('%PDF-1.7')).toBeNull();
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void detectContainer(bytes)));
});

test('packets of any length come out of Ogg as they went in', () => {
  const packet = fc.uint8Array({ minLength: 1, maxLength: 1_200 });
  fc.assert(
    fc.property(fc.array(packet, { minLength: 1, maxLength: 30 }), (packets) => {
      const writer = createOggWriter(7);
      const pages = packets.map((one, i) => writer.page([one], BigInt(i), { first: i === 0 }));
      const read = [...oggPackets(Buffer.concat(pages))].map(({ bytes }) => [...bytes]);
      expect(read).toEqual(packets.map((one) => [...one]));
    }),
  );
});

test('what a lower sampling rate cannot hold is not heard in it', () => {
  const high = Float32Array.from({ length: 48_000 }, (_, i) => Math.sin((2 * Math.PI * 15_000 * i) / 48_000));
  expect(loudnessOf(resample(high, 48_000, 16_000).subarray(500, 15_000))).toBeLessThan(0.01);
  const low = Float32Array.from({ length: 48_000 }, (_, i) => Math.sin((2 * Math.PI * 1_000 * i) / 48_000));
  expect(loudnessOf(resample(low, 48_000, 16_000).subarray(500, 15_000))).toBeCloseTo(Math.SQRT1_2, 2);
});
