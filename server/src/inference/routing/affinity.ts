/**
 * Which address has what a call continues in its cache: found by a hash alone, so that all processes and machines agree without a word, and
 * an address that comes or goes moves no calls but its own. Source: Thaler and Ravishankar, "Using name-based mappings to increase hit rates"
 * (1998), with the weights of Schindelhauer and Schomaker, "Weighted distributed hash tables" (2005).
 */

// Source: the FNV-1a hash for 32 bits (Fowler, Noll, Vo; RFC 9923).
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A hash of 32 bits of a text of latin1 characters; of others it takes the low 16 bits of each. */
export function hashText(text: string): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return mix(hash);
}

/** Spreads 32 bits over all 32. Source: the finalizer of MurmurHash3, which is public domain. */
function mix(bits: number): number {
  let hash = bits;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** How far an address is from a key, by the seed and the weight of the address: the nearest one has it. */
export const distanceOf = (key: number, seed: number, weight: number): number =>
  -Math.log((mix(key ^ seed) + 0.5) / 2 ** 32) / weight;

/** Bytes of a text that count: as many of a long one are there even where the rest of it is not read (kernel/json-outline). */
const BYTES = 64;
/** What a character takes as JSON at most where it is written as an escape. */
const ESCAPE_BYTES = 6;

/** The beginning of a text that is the same whether it was read whole or as far as its outline has it. */
function beginningOf(text: string): string {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // The view of a body has bytes for characters: any other was written as an escape.
    bytes += code < 0x20 || code === 0x22 || code === 0x5c || code > 0xff ? ESCAPE_BYTES : 1;
    if (bytes > BYTES) return text.slice(0, i);
  }
  return text;
}

/** The text of a message, or of its first part that has one. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  for (const part of content as readonly ({ readonly text?: unknown } | null)[])
    if (typeof part?.text === 'string') return part.text;
  return '';
}

/**
 * What the calls of one conversation have in common, where nobody says which they are: the beginning of its first question and of what
 * stands before it. Null where there is no question.
 */
export function promptKey(messages: unknown): number | null {
  if (!Array.isArray(messages)) return null;
  let before = '';
  for (const message of messages as readonly { readonly role?: unknown; readonly content?: unknown }[]) {
    const text = beginningOf(textOf(message.content));
    if (message.role === 'user') return hashText(`${before}\n${text}`);
    before = text;
  }
  return null;
}
