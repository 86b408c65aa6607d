import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An API key is `aist_`, 43 random base62 characters (256 bits), and 6 base62 characters of the CRC-32 of all
 * characters before. Source: decisions section 7.
 */
const PREFIX = 'aist_';
const BODY_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const GENERATED_KEY_PATTERN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${BODY_LENGTH + CHECKSUM_LENGTH}}$`);
/** Keys from an operator (STUDIO_INIT_API_KEY): any value that HTTP can carry, as automation brings its own. */
const OPERATOR_KEY_PATTERN = /^[\x21-\x7e]{16,200}$/;

/** Creates a key value. */
export function generateKeyValue(): string {
  const prefixAndBody = PREFIX + randomText(BODY_LENGTH);
  return prefixAndBody + checksum(prefixAndBody);
}

/**
 * Whether the text can be a key at all. Values that begin with `aist_` must have the right length and checksum,
 * so that a mistyped key is refused without a look-up; others must be 16 to 200 visible ASCII characters.
 */
export function isWellFormedKey(value: string): boolean {
  if (!value.startsWith(PREFIX)) return OPERATOR_KEY_PATTERN.test(value);
  return (
    GENERATED_KEY_PATTERN.test(value) && checksum(value.slice(0, -CHECKSUM_LENGTH)) === value.slice(-CHECKSUM_LENGTH)
  );
}

/** SHA-256 of a key value, as it is stored. */
export const keyHash = (value: string): Buffer => hash('sha256', value, 'buffer');

/** The parts of a key value that may be shown after it was issued. */
export const keyHints = (value: string) => ({ start: value.slice(0, PREFIX.length + 4), last4: value.slice(-4) });

function checksum(text: string): string {
  let remaining = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET.charAt(remaining % 62) + digits;
    remaining = Math.floor(remaining / 62);
  }
  return digits;
}

/** Random base62 text with a uniform distribution: skips bytes past the last multiple of 62. */
function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}
