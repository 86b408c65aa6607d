import type { SpeechFormat } from './encode.ts';
import { mp3Frame } from './mp3-frame.ts';

/** Measures the length of sound that passes by in chunks. */
export interface SoundMeasure {
  add(bytes: Uint8Array): void;
  /** Null where the format does not say. */
  seconds(): number | null;
}

/** Bytes of a second of PCM as the interface has it: 16 bits at 24 kHz. Source: decisions section 6. */
const PCM_SECOND_BYTES = 48_000;
/** Bytes of a WAV head up to its sound, as it is usually written; what stands at 28 is the bytes of a second. */
const WAV_HEAD = 44;
const OPUS_RATE = 48_000;
/** Bytes of the head of an Ogg page up to the end of its position. */
const POSITION_END = 14;

function measurePcm(): SoundMeasure {
  let bytes = 0;
  return { add: (chunk) => void (bytes += chunk.length), seconds: () => bytes / PCM_SECOND_BYTES };
}

function measureWav(): SoundMeasure {
  let head = Buffer.alloc(0);
  let bytes = 0;
  return {
    add(part) {
      if (head.length < WAV_HEAD) head = Buffer.concat([head, part.subarray(0, WAV_HEAD)]);
      bytes += part.length;
    },
    seconds() {
      if (head.length < WAV_HEAD || head.toString('latin1', 0, 4) !== 'RIFF') return null;
      const secondBytes = head.readUInt32LE(28);
      return secondBytes === 0 ? null : (bytes - WAV_HEAD) / secondBytes;
    },
  };
}

function measureMp3(): SoundMeasure {
  let rest = Buffer.alloc(0);
  /** Bytes of a frame that have not come yet. */
  let skip = 0;
  let seconds = 0;
  return {
    add(part) {
      const passed = Math.min(skip, part.length);
      skip -= passed;
      const bytes = Buffer.concat([rest, part.subarray(passed)]);
      let at = 0;
      while (at + 4 <= bytes.length) {
        const frame = mp3Frame(bytes, at);
        if (frame === null) at++;
        else {
          seconds += frame.seconds;
          at += frame.length;
        }
      }
      skip += Math.max(0, at - bytes.length);
      rest = bytes.subarray(Math.min(at, bytes.length));
    },
    seconds: () => (seconds === 0 ? null : seconds),
  };
}

/** The head of the last page holds the number of samples. Source: RFC 7845, section 4. */
function measureOpus(): SoundMeasure {
  let rest = Buffer.alloc(0);
  let samples = 0n;
  return {
    add(part) {
      const bytes = Buffer.concat([rest, part]);
      for (
        let at = bytes.indexOf('OggS');
        at >= 0 && at + POSITION_END <= bytes.length;
        at = bytes.indexOf('OggS', at + 4)
      ) {
        const position = bytes.readBigInt64LE(at + 6);
        if (position > samples) samples = position;
      }
      rest = bytes.subarray(Math.max(0, bytes.length - POSITION_END + 1));
    },
    seconds: () => (samples === 0n ? null : Number(samples) / OPUS_RATE),
  };
}

/** Measures sound of a format as a server sends it. */
export function createMeasure(format: SpeechFormat): SoundMeasure {
  if (format === 'pcm') return measurePcm();
  if (format === 'wav') return measureWav();
  if (format === 'mp3') return measureMp3();
  return format === 'opus' ? measureOpus() : { add: () => undefined, seconds: () => null };
}
