import { findMp3Frames } from './mp3-frame.ts';

/** Container format of an audio file. Source: decisions section 6, formats of /v1/audio/transcriptions. */
export type Container = 'wav' | 'mp3' | 'flac' | 'ogg' | 'webm' | 'mp4' | 'aac' | 'wma';

/** Containers that may need an external program to decode. */
export type ProgramContainer = Extract<Container, 'mp4' | 'aac' | 'wma' | 'webm'>;

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  bytes.length >= at + text.length &&
  Buffer.from(bytes.buffer, bytes.byteOffset + at, text.length).equals(Buffer.from(text, 'latin1'));

/** GUID of an ASF header object, in file byte order. Source: Advanced Systems Format specification, section 10.1. */
const ASF = '\u0030\u0026\u00B2\u0075\u008E\u0066\u00CF\u0011';
const EBML = '\u001A\u0045\u00DF\u00A3';
/** Largest distance of the first frame of MPEG audio from the start of the file, behind zeros and tags. */
const MAX_LEAD_BYTES = 64 * 1024;

/** Length in bytes of an ID3v2 tag at the start. Source: ID3v2.4, section 3.1. */
function tagLength(bytes: Uint8Array): number {
  if (!startsWith(bytes, 'ID3') || bytes.length < 10) return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((bytes[at] ?? 0) & 0x7f), 0);
  return 10 + size + (((bytes[5] ?? 0) & 0x10) === 0 ? 0 : 10);
}

/** Tells MPEG audio of layer I to III from AAC in ADTS frames, by the first frame. Sources: ISO 11172-3, 2.4.1.3; ISO 14496-3, 1.A.2. */
function mpegKind(bytes: Uint8Array, at: number): 'mp3' | 'aac' | null {
  const [first = 0, second = 0, third = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  if ((second & 0xf6) === 0xf0) return ((third >> 2) & 0xf) < 13 ? 'aac' : null;
  const version = (second >> 3) & 3;
  const layer = (second >> 1) & 3;
  return version === 1 || layer === 0 || third >> 4 === 15 || ((third >> 2) & 3) === 3 ? null : 'mp3';
}

/** Detects the container by the bytes of a file, never by its name; null where the format is unknown. */
export function detectContainer(bytes: Uint8Array): Container | null {
  if ((startsWith(bytes, 'RIFF') || startsWith(bytes, 'RF64')) && startsWith(bytes, 'WAVE', 8)) return 'wav';
  if (startsWith(bytes, 'fLaC')) return 'flac';
  if (startsWith(bytes, 'OggS')) return 'ogg';
  if (startsWith(bytes, EBML)) return 'webm';
  if (startsWith(bytes, 'ftyp', 4)) return 'mp4';
  if (startsWith(bytes, ASF)) return 'wma';
  let at = tagLength(bytes);
  if (startsWith(bytes, 'fLaC', at)) return 'flac';
  const end = Math.min(bytes.length - 3, at + MAX_LEAD_BYTES);
  const framesStart = at;
  while (at < end && bytes[at] === 0) at++;
  return mpegKind(bytes, at) ?? (findMp3Frames(bytes, framesStart, end) < 0 ? null : 'mp3');
}
