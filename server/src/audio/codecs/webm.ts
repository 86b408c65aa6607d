import { createOggWriter } from './ogg.ts';
import { createOpusDecoder, readOpusHead } from './opus.ts';
import { AudioError, corrupted, type SoundSink } from './sound.ts';
import { decodeVorbis } from './vorbis.ts';

// Sound in WebM and Matroska. Source: RFC 9559; element ids of section 5, EBML of RFC 8794.

const SEGMENT = 0x18_53_80_67;
const CLUSTER = 0x1f_43_b6_75;
const TRACKS = 0x16_54_ae_6b;
const TRACK = 0xae;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const CODEC = 0x86;
const CODEC_PRIVATE = 0x63_a2;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;
const AUDIO = 2;

interface Element {
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

/** An integer of variable length. Null at the end, or where it is invalid. */
function readVint(
  bytes: Uint8Array,
  at: number,
  keepMarker: boolean,
): { value: number; next: number; unknown: boolean } | null {
  const first = bytes[at];
  if (first === undefined || first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return null;
  let value = keepMarker ? first : first & (0xff >> length);
  let ones = (first | (0xff << (8 - length))) === -1 || (first & (0xff >> length)) === 0xff >> length;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] ?? 0;
    value = value * 256 + byte;
    ones &&= byte === 0xff;
  }
  return { value, next: at + length, unknown: ones };
}

/** Elements of a range of a file, one after the other. One of unknown size reaches to the end. */
function* readElements(bytes: Uint8Array, from: number, to: number): Generator<Element, void> {
  for (let at = from; at < to;) {
    const id = readVint(bytes, at, true);
    const size = id === null ? null : readVint(bytes, id.next, false);
    if (id === null || size === null) return;
    const end = size.unknown ? to : Math.min(to, size.next + size.value);
    yield { id: id.value, from: size.next, to: end };
    at = end;
  }
}

function findElement(bytes: Uint8Array, { from, to }: Omit<Element, 'id'>, id: number): Element | undefined {
  for (const element of readElements(bytes, from, to)) if (element.id === id) return element;
  return undefined;
}

const numberOf = (bytes: Uint8Array, { from, to }: Element): number =>
  bytes.subarray(from, Math.min(to, from + 6)).reduce((sum, byte) => sum * 256 + byte, 0);

interface Track {
  readonly number: number;
  readonly codec: string;
  readonly head: Uint8Array;
}

function audioTrack(bytes: Uint8Array, tracks: Element): Track | null {
  for (const entry of readElements(bytes, tracks.from, tracks.to)) {
    if (entry.id !== TRACK) continue;
    const parts = new Map([...readElements(bytes, entry.from, entry.to)].map((part) => [part.id, part]));
    const [number, type, codec, head] = [TRACK_NUMBER, TRACK_TYPE, CODEC, CODEC_PRIVATE].map((id) => parts.get(id));
    if (!number || !type || !codec || numberOf(bytes, type) !== AUDIO) continue;
    return {
      number: numberOf(bytes, number),
      codec: Buffer.from(bytes.subarray(codec.from, codec.to)).toString('latin1').replaceAll('\0', ''),
      head: head ? bytes.subarray(head.from, head.to) : new Uint8Array(0),
    };
  }
  return null;
}

/** The frame of a block of a track. Lacing is not used for Opus by any known writer, and refused. */
function frameOf(bytes: Uint8Array, { from, to }: Element, track: number): Uint8Array | null {
  const number = readVint(bytes, from, false);
  if (number === null || number.value !== track) return null;
  const flags = bytes[number.next + 2] ?? 0;
  if ((flags & 0x06) !== 0)
    throw new AudioError('unsupported', 'The WebM file holds laced frames, which cannot be read');
  return bytes.subarray(number.next + 3, to);
}

/** Every element that may hold blocks: clusters of unknown size hold what follows them too. */
function* findBlocks(bytes: Uint8Array, from: number, to: number): Generator<Element, void> {
  for (const element of readElements(bytes, from, to)) {
    if (element.id === SIMPLE_BLOCK || element.id === BLOCK) yield element;
    else if (element.id === CLUSTER || element.id === BLOCK_GROUP) yield* findBlocks(bytes, element.from, element.to);
  }
}

/** Frames of a track, in order. */
function* framesOf(bytes: Uint8Array, segment: Element, track: number): Generator<Uint8Array, void> {
  for (const block of findBlocks(bytes, segment.from, segment.to)) {
    const frame = frameOf(bytes, block, track);
    if (frame !== null) yield frame;
  }
}

/** The three heads of Vorbis, as they stand in the private part of a track. Source: RFC 9559, codec mappings, A_VORBIS. */
function vorbisHeads(bytes: Uint8Array): readonly Uint8Array[] {
  if (bytes[0] !== 2) throw corrupted();
  let at = 1;
  const lengths = [0, 0].map(() => {
    let length = 0;
    let byte: number | undefined;
    do {
      byte = bytes[at++];
      if (byte === undefined) throw corrupted();
      length += byte;
    } while (byte === 255);
    return length;
  });
  const [first = 0, second = 0] = lengths;
  if (at + first + second >= bytes.length) throw corrupted();
  return [
    bytes.subarray(at, at + first),
    bytes.subarray(at + first, at + first + second),
    bytes.subarray(at + first + second),
  ];
}

/** Vorbis as an Ogg file, which its decoder needs. No page is marked the last: nothing is to be cut off there. */
function* vorbisPages(heads: readonly Uint8Array[], frames: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  const writer = createOggWriter(1);
  for (const [i, head] of heads.entries()) yield writer.page([head], 0n, { first: i === 0 });
  let number = 0n;
  for (const frame of frames) yield writer.page([frame], (number += 1n));
}

/** A codec as people call it. */
const codecName = (codec: string): string =>
  codec
    .replace(/^A_/, '')
    .replaceAll(/[^\w./-]/g, '')
    .slice(0, 40) || 'another codec';

/** Decodes the first sound track of a file. Resolves with null, or, having decoded nothing, with a codec other than Opus and Vorbis. */
export async function decodeWebm(bytes: Uint8Array, sink: SoundSink): Promise<string | null> {
  const segment = findElement(bytes, { from: 0, to: bytes.length }, SEGMENT);
  if (segment === undefined) throw corrupted();
  const tracks = findElement(bytes, segment, TRACKS);
  const track = tracks === undefined ? null : audioTrack(bytes, tracks);
  if (track === null) throw new AudioError('empty', 'The WebM file has no sound');
  const frames = framesOf(bytes, segment, track.number);
  if (track.codec === 'A_VORBIS') {
    await decodeVorbis(vorbisPages(vorbisHeads(track.head), frames), sink);
    return null;
  }
  if (track.codec !== 'A_OPUS') return codecName(track.codec);
  const decoder = createOpusDecoder(readOpusHead(track.head), sink);
  try {
    for (const frame of frames) decoder.addPacket(frame);
  } finally {
    decoder.close();
  }
  return null;
}
