import { createHash } from 'node:crypto';

// Whether texts say the same, or nearly: each is known by a short signature, and signatures are alike as far as the texts share their runs of letters.
// Source: Broder, "On the resemblance and containment of documents" (1997), with one permutation for all numbers: Li, Owen, Zhang, NIPS 2012.

/** Numbers of a signature. */
const BINS = 128;
/** Letters of a run. */
const RUN = 5;
const EMPTY = 0xff_ff_ff_ff;

/** How alike two texts must be to say nearly the same: the share of runs of letters that both have, of those that one has. */
export const NEARLY_SAME = 0.9;

/** The letters and digits of a text, without what parts them and how they are written. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Spreads a number over 32 bits. Source: the finalizer of MurmurHash3. */
function spread(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85_eb_ca_6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** By what a text is compared. */
export interface Signature {
  /** Of all its letters, in hex: the same text has the same, however it is set. */
  readonly exact: string;
  /** The least number of each bin; EMPTY where it has none. */
  readonly bins: Uint32Array;
}

/** The signature of a text; null where it has no letters. Pure; time grows with the length of the text alone. */
export function signatureOf(text: string): Signature | null {
  const letters = lettersOf(text);
  if (letters === '') return null;
  const bins = new Uint32Array(BINS).fill(EMPTY);
  const width = Math.min(RUN, letters.length);
  for (let at = 0; at + width <= letters.length; at++) {
    let hash = 0x81_1c_9d_c5;
    for (let i = at; i < at + width; i++) hash = Math.imul(hash ^ letters.charCodeAt(i), 0x01_00_01_93);
    const spreadHash = spread(hash);
    const bin = spreadHash % BINS;
    const value = Math.floor(spreadHash / BINS);
    if (value < (bins[bin] ?? EMPTY)) bins[bin] = value;
  }
  return { exact: createHash('sha256').update(letters).digest('hex'), bins };
}

/** How alike two texts are, 0 to 1, as an estimate; 1 for the same letters. */
export function likeness(a: Signature, b: Signature): number {
  if (a.exact === b.exact) return 1;
  let [same, either] = [0, 0];
  for (let at = 0; at < BINS; at++) {
    const [x, y] = [a.bins[at] ?? EMPTY, b.bins[at] ?? EMPTY];
    if (x === EMPTY && y === EMPTY) continue;
    either++;
    if (x === y) same++;
  }
  return either === 0 ? 0 : same / either;
}

/** Whether two texts say the same, or nearly. */
export const isNearlySame = (a: Signature, b: Signature): boolean => likeness(a, b) >= NEARLY_SAME;

/** Bins of one band: those of texts that are nearly the same agree in some band almost surely (.57^16 is 1 in 8,000 at a likeness of .9). */
const BAND = 8;

/** Bins as bytes for the database: 32 bits each, little-endian. */
export const packBins = (bins: Uint32Array): Buffer => Buffer.from(bins.buffer, bins.byteOffset, bins.byteLength);

export function unpackBins(bytes: Buffer): Uint32Array {
  const bins = new Uint32Array(BINS);
  Buffer.from(bins.buffer).set(bytes.subarray(0, bins.byteLength));
  return bins;
}

/** Hashes of the bands of a signature, each of 64 bits, with whom it belongs to: equal ones are compared. Empty bins count as the next that is none. */
export function bandsOf({ bins }: Signature, owner: string): bigint[] {
  const filled = Array.from(bins, (value, at) => {
    for (let step = 0; value === EMPTY && step < BINS; step++) {
      const next = bins[(at + step) % BINS] ?? EMPTY;
      if (next !== EMPTY) return next;
    }
    return value;
  });
  return Array.from({ length: BINS / BAND }, (_, at) => {
    const part = filled.slice(at * BAND, (at + 1) * BAND).join(' ');
    return createHash('sha256').update(`${owner} ${at} ${part}`).digest().readBigInt64LE();
  });
}
