import type { SpeechFormat } from './encode.ts';
import { mp3Frame } from './mp3-frame.ts';

/** Measures the length of encoded sound, chunk by chunk. */
export interface SoundMeasure {
  add(bytes: Uint8Array): void;
  /** Null where the format does not tell it. */
  seconds(): number | null;
}

/** Bytes a second of the interface's PCM: 16 bits at 24 kHz. Source: decisions section 6. */
const PCM_SECOND_BYTES = 48_000;
/** Bytes of the usual WAV header; the bytes a second stand at offset 28. */
const WAV_HEADER_BYTES = 44;
const OPUS_RATE = 48_000;
/** End of the granule position in the header of an Ogg page. */
const POSITION_END = 14;

function measurePcm(): SoundMeasure {
  let bytes = 0;
  return { add: (chunk) => void (bytes += chunk.length), seconds: () => bytes / PCM_SECOND_BYTES };
}

function measureWav(): SoundMeasure {
  let header = Buffer.alloc(0);
  let bytes = 0;
  return {
    add(chunk) {
      if (header.length < WAV_HEADER_BYTES) header = Buffer.concat([header, chunk.subarray(0, WAV_HEADER_BYTES)]);
      bytes += chunk.length;
    },
    seconds() {
      if (header.length < WAV_HEADER_BYTES || header.toString('latin1', 0, 4) !== 'RIFF') return null;
      const secondBytes = header.readUInt32LE(28);
      return secondBytes === 0 ? null : (bytes - WAV_HEADER_BYTES) / secondBytes;
    },
  };
}

function measureMp3(): SoundMeasure {
  let unparsed = Buffer.alloc(0);
  /** Bytes of the current frame that are still to come. */
  let skip = 0;
  let seconds = 0;
  return {
    add(chunk) {
      const skipped = Math.min(skip, chunk.length);
      skip -= skipped;
      const bytes = Buffer.concat([unparsed, chunk.subarray(skipped)]);
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
      unparsed = bytes.subarray(Math.min(at, bytes.length));
    },
    seconds: () => (seconds === 0 ? null : seconds),
  };
}

/** Reads the number of samples from the header of the last page. Source: RFC 7845, section 4. */
function measureOpus(): SoundMeasure {
  let unparsed = Buffer.alloc(0);
  let samples = 0n;
  return {
    add(chunk) {
      const bytes = Buffer.concat([unparsed, chunk]);
      for (
        let at = bytes.indexOf('OggS');
        at >= 0 && at + POSITION_END <= bytes.length;
        at = bytes.indexOf('OggS', at + 4)
      ) {
        const position = bytes.readBigInt64LE(at + 6);
        if (position > samples) samples = position;
      }
      unparsed = bytes.subarray(Math.max(0, bytes.length - POSITION_END + 1));
    },
    seconds: () => (samples === 0n ? null : Number(samples) / OPUS_RATE),
  };
}

/** Measures sound in a format that a server sends. */
export function createMeasure(format: SpeechFormat): SoundMeasure {
  if (format === 'pcm') return measurePcm();
  if (format === 'wav') return measureWav();
  if (format === 'mp3') return measureMp3();
  return format === 'opus' ? measureOpus() : { add: () => undefined, seconds: () => null };
}
