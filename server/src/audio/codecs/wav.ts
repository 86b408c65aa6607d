import { corrupted, AudioError, type SoundSink } from './sound.ts';

/** Frames of a chunk. */
const CHUNK_FRAMES = 65_536;

const PCM = 1;
const FLOAT = 3;
const ALAW = 6;
const MULAW = 7;
const EXTENSIBLE = 0xff_fe;

/** Source: ITU-T G.711, section 3. */
function fromAlaw(byte: number): number {
  const value = byte ^ 0x55;
  const exponent = (value >> 4) & 7;
  const mantissa = value & 15;
  const magnitude = exponent === 0 ? mantissa * 16 + 8 : (mantissa * 16 + 264) << (exponent - 1);
  return (value & 0x80 ? magnitude : -magnitude) / 32_768;
}

/** Source: ITU-T G.711, section 3. */
function fromMulaw(byte: number): number {
  const value = ~byte & 0xff;
  const magnitude = ((((value & 15) << 3) + 132) << ((value >> 4) & 7)) - 132;
  return (value & 0x80 ? -magnitude : magnitude) / 32_768;
}

/** Returns a reader of samples in an encoding; null where the encoding is unknown. */
function sampleReader(encoding: number, bits: number): ((view: DataView, at: number) => number) | null {
  if (encoding === FLOAT && bits === 32) return (view, at) => view.getFloat32(at, true);
  if (encoding === FLOAT && bits === 64) return (view, at) => view.getFloat64(at, true);
  if (encoding === ALAW && bits === 8) return (view, at) => fromAlaw(view.getUint8(at));
  if (encoding === MULAW && bits === 8) return (view, at) => fromMulaw(view.getUint8(at));
  if (encoding !== PCM) return null;
  if (bits === 8) return (view, at) => (view.getUint8(at) - 128) / 128;
  if (bits === 16) return (view, at) => view.getInt16(at, true) / 32_768;
  if (bits === 24) return (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608;
  if (bits === 32) return (view, at) => view.getInt32(at, true) / 2_147_483_648;
  return null;
}

interface Format {
  readonly channels: number;
  readonly sampleRate: number;
  readonly sampleBytes: number;
  readonly readSample: (view: DataView, at: number) => number;
}

function readFormat(view: DataView, at: number, size: number): Format {
  if (size < 16) throw corrupted();
  const formatTag = view.getUint16(at, true);
  const encoding = formatTag === EXTENSIBLE && size >= 26 ? view.getUint16(at + 24, true) : formatTag;
  const channels = view.getUint16(at + 2, true);
  const sampleRate = view.getUint32(at + 4, true);
  const bits = view.getUint16(at + 14, true);
  const readSample = sampleReader(encoding, bits);
  if (readSample === null)
    throw new AudioError('unsupported', 'The WAV file holds a coding that cannot be read; send PCM, FLAC or MP3');
  if (channels < 1 || channels > 32 || sampleRate < 1_000 || sampleRate > 768_000) throw corrupted();
  return { channels, sampleRate, sampleBytes: bits / 8, readSample };
}

/** Decodes a RIFF file: PCM of 8 to 32 bits, floats, A-law and µ-law. Of a truncated file, the beginning is decoded. */
export function decodeWav(bytes: Uint8Array, sink: SoundSink): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let format: Format | null = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const chunkId = view.getUint32(at);
    const size = view.getUint32(at + 4, true);
    const chunkStart = at + 8;
    // `fmt ` and `data`.
    if (chunkId === 0x66_6d_74_20) format = readFormat(view, chunkStart, Math.min(size, bytes.length - chunkStart));
    else if (chunkId === 0x64_61_74_61) {
      if (format === null) throw corrupted();
      // Programs that write to a pipe do not know the length, and write 0 or one that is too large.
      const dataLength =
        size === 0 || size >= 0xff_ff_f0_00 ? bytes.length - chunkStart : Math.min(size, bytes.length - chunkStart);
      return readSamples(view, chunkStart, dataLength, format, sink);
    }
    at = chunkStart + size + (size % 2);
  }
  throw corrupted();
}

function readSamples(view: DataView, dataStart: number, size: number, format: Format, sink: SoundSink): void {
  const { channels, sampleRate, sampleBytes, readSample } = format;
  const frameBytes = channels * sampleBytes;
  const frameCount = Math.floor(size / frameBytes);
  for (let start = 0; start < frameCount; start += CHUNK_FRAMES) {
    const count = Math.min(CHUNK_FRAMES, frameCount - start);
    const channelSamples = Array.from({ length: channels }, () => new Float32Array(count));
    for (const [channel, samples] of channelSamples.entries())
      for (let i = 0; i < count; i++)
        samples[i] = readSample(view, dataStart + (start + i) * frameBytes + channel * sampleBytes);
    sink(channelSamples, sampleRate);
  }
}

/** Samples as 16-bit integers, little endian. */
export function toPcm16(samples: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length * 2);
  for (const [i, sample] of samples.entries())
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))), i * 2);
  return bytes;
}

/** Largest length that a header can hold; programs then read to the end of the file. */
const UNKNOWN_LENGTH = 0xff_ff_ff_ff;

/** The header of a WAV file with one channel of 16 bits. `bytes`: length of the sound; null where it is not known yet. */
export function wavHeader(sampleRate: number, bytes: number | null): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(bytes === null ? UNKNOWN_LENGTH : 36 + bytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(PCM, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes ?? UNKNOWN_LENGTH, 40);
  return header;
}

/** Writes the length into the header of a WAV file that has none. Returns other files unchanged. */
export function withWavLength(file: Buffer): Buffer {
  const dataChunk = file.indexOf('data', 12, 'latin1');
  if (file.toString('latin1', 0, 4) !== 'RIFF' || dataChunk < 0 || dataChunk + 8 > file.length) return file;
  const length = file.readUInt32LE(dataChunk + 4);
  if (length !== 0 && dataChunk + 8 + length <= file.length) return file;
  const copy = Buffer.from(file);
  copy.writeUInt32LE(file.length - 8, 4);
  copy.writeUInt32LE(file.length - dataChunk - 8, dataChunk + 4);
  return copy;
}
