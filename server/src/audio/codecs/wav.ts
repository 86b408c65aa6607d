import { corrupted, AudioError, type Sound, type SoundSink } from './sound.ts';

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

/** Reads a sample of a coding; null where the coding is not known. */
function sampleReader(form: number, bits: number): ((view: DataView, at: number) => number) | null {
  if (form === FLOAT && bits === 32) return (view, at) => view.getFloat32(at, true);
  if (form === FLOAT && bits === 64) return (view, at) => view.getFloat64(at, true);
  if (form === ALAW && bits === 8) return (view, at) => fromAlaw(view.getUint8(at));
  if (form === MULAW && bits === 8) return (view, at) => fromMulaw(view.getUint8(at));
  if (form !== PCM) return null;
  if (bits === 8) return (view, at) => (view.getUint8(at) - 128) / 128;
  if (bits === 16) return (view, at) => view.getInt16(at, true) / 32_768;
  if (bits === 24) return (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608;
  if (bits === 32) return (view, at) => view.getInt32(at, true) / 2_147_483_648;
  return null;
}

interface Format {
  readonly channels: number;
  readonly sampleRate: number;
  readonly width: number;
  readonly read: (view: DataView, at: number) => number;
}

function readFormat(view: DataView, at: number, size: number): Format {
  if (size < 16) throw corrupted();
  const coding = view.getUint16(at, true);
  const form = coding === EXTENSIBLE && size >= 26 ? view.getUint16(at + 24, true) : coding;
  const channels = view.getUint16(at + 2, true);
  const sampleRate = view.getUint32(at + 4, true);
  const bits = view.getUint16(at + 14, true);
  const read = sampleReader(form, bits);
  if (read === null)
    throw new AudioError('unsupported', 'The WAV file holds a coding that cannot be read; send PCM, FLAC or MP3');
  if (channels < 1 || channels > 32 || sampleRate < 1_000 || sampleRate > 768_000) throw corrupted();
  return { channels, sampleRate, width: bits / 8, read };
}

/** Decodes a RIFF file: PCM of 8 to 32 bits, floats, A-law and µ-law. A file that breaks off gives what there is. */
export function decodeWav(bytes: Uint8Array, sink: SoundSink): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let format: Format | null = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = view.getUint32(at);
    const size = view.getUint32(at + 4, true);
    const body = at + 8;
    // `fmt ` and `data`.
    if (name === 0x66_6d_74_20) format = readFormat(view, body, Math.min(size, bytes.length - body));
    else if (name === 0x64_61_74_61) {
      if (format === null) throw corrupted();
      // Programs that write to a pipe do not know the length, and give one that is too large or none.
      const known = size === 0 || size >= 0xff_ff_f0_00 ? bytes.length - body : Math.min(size, bytes.length - body);
      return readSamples(view, body, known, format, sink);
    }
    at = body + size + (size % 2);
  }
  throw corrupted();
}

function readSamples(view: DataView, from: number, size: number, format: Format, sink: SoundSink): void {
  const { channels, sampleRate, width, read } = format;
  const frame = channels * width;
  const frames = Math.floor(size / frame);
  for (let start = 0; start < frames; start += CHUNK_FRAMES) {
    const count = Math.min(CHUNK_FRAMES, frames - start);
    const parts = Array.from({ length: channels }, () => new Float32Array(count));
    for (const [channel, part] of parts.entries())
      for (let i = 0; i < count; i++) part[i] = read(view, from + (start + i) * frame + channel * width);
    sink(parts, sampleRate);
  }
}

/** Samples as 16-bit integers, little endian. */
export function toPcm16(samples: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length * 2);
  for (const [i, sample] of samples.entries())
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))), i * 2);
  return bytes;
}

/** Largest length that a header can say; programs read to the end of the file then. */
const UNKNOWN = 0xff_ff_ff_ff;

/** The head of a WAV file of one channel of 16 bits. `bytes` of sound; null where they are not known yet. */
export function wavHead(sampleRate: number, bytes: number | null): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(bytes === null ? UNKNOWN : 36 + bytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(PCM, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(bytes ?? UNKNOWN, 40);
  return head;
}

/** A WAV file of one channel of 16 bits. */
export function encodeWav({ samples, sampleRate }: Sound): Buffer {
  const body = toPcm16(samples);
  return Buffer.concat([wavHead(sampleRate, body.length), body]);
}

/** The same file with the length in its head, where it says none. What is no WAV file stays as it is. */
export function withWavLength(file: Buffer): Buffer {
  const data = file.indexOf('data', 12, 'latin1');
  if (file.toString('latin1', 0, 4) !== 'RIFF' || data < 0 || data + 8 > file.length) return file;
  const length = file.readUInt32LE(data + 4);
  if (length !== 0 && data + 8 + length <= file.length) return file;
  const own = Buffer.from(file);
  own.writeUInt32LE(file.length - 8, 4);
  own.writeUInt32LE(file.length - data - 8, data + 4);
  return own;
}
