import type { Random } from './random.ts';

/** Nothing grows beyond that, so that what is tried is damage and not size. */
const MAX_BYTES = 8 * 1024 * 1024;

type Change = (bytes: Buffer, random: Random) => Buffer;

const range = (bytes: Buffer, random: Random): [from: number, to: number] => {
  const from = random.below(bytes.length + 1);
  const longest = random.chance(0.2) ? bytes.length : 64;
  return [from, Math.min(bytes.length, from + random.below(longest + 1))];
};
const replaced = (bytes: Buffer, from: number, to: number, by: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(to)]);
const copied = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  if (copy.length > 0) change(copy);
  return copy;
};

/** Numbers at which counts and places break. */
const extremes = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];

const flip: Change = (bytes, random) =>
  copied(bytes, (copy) => {
    const at = random.below(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
  });
const put: Change = (bytes, random) =>
  copied(bytes, (copy) => {
    copy[random.below(copy.length)] = random.oneOf([0, 1, 0x20, 0x7f, 0x80, 0xfe, 0xff, random.below(256)]);
  });
const putNumber: Change = (bytes, random) =>
  copied(bytes, (copy) => {
    const size = random.oneOf([2, 4]);
    if (copy.length < size) return;
    const value = random.oneOf(extremes);
    copy.writeUIntLE(size === 2 ? value & 0xffff : value, random.below(copy.length - size + 1), size);
  });
const cut: Change = (bytes, random) => replaced(bytes, ...range(bytes, random), Buffer.alloc(0));
const zero: Change = (bytes, random) => {
  const [from, to] = range(bytes, random);
  return replaced(bytes, from, to, Buffer.alloc(to - from));
};
const double: Change = (bytes, random) => {
  const [from, to] = range(bytes, random);
  const times = random.chance(0.1) ? random.below(2_000) : 2;
  const part = bytes.subarray(from, to);
  if (part.length * times > MAX_BYTES) return bytes;
  return replaced(bytes, from, to, Buffer.concat(Array.from({ length: times }, () => part)));
};
const move: Change = (bytes, random) => {
  const [from, to] = range(bytes, random);
  const at = random.below(bytes.length + 1);
  return replaced(bytes, at, at, bytes.subarray(from, to));
};
const end: Change = (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1));

const binaryChanges: readonly Change[] = [flip, flip, put, put, putNumber, putNumber, cut, zero, double, move, end];

/** A place where the pattern is found, searched from anywhere; null where there is none. */
function found(text: string, pattern: RegExp, random: Random): RegExpExecArray | null {
  pattern.lastIndex = random.below(text.length + 1);
  const one = pattern.exec(text);
  if (one !== null) return one;
  pattern.lastIndex = 0;
  return pattern.exec(text);
}
const inText =
  (change: (text: string, random: Random) => string): Change =>
  (bytes, random) =>
    Buffer.from(change(bytes.toString('latin1'), random), 'latin1');

const numbers = ['-1', '0', '1', '65535', '4294967295', '1e9', '1e308', 'NaN', '-2147483648', '', '999999999999999999'];
const number = inText((text, random) => {
  const one = found(text, /\d+/g, random);
  if (one === null) return text;
  return text.slice(0, one.index) + random.oneOf(numbers) + text.slice(one.index + one[0].length);
});
const tag = inText((text, random) => {
  const one = found(text, /<[^<>]{1,200}>/g, random);
  if (one === null) return text;
  const [whole] = one;
  const after = text.slice(one.index + whole.length);
  const times = random.chance(0.1) ? 500 : 2;
  const by = random.oneOf(['', whole.repeat(times), whole.replace('<', '</'), whole.replace('/>', '>'), '<']);
  return text.slice(0, one.index) + by + after;
});
/** Puts one element of the text into another place, which makes circles and things within themselves. */
const transplant = inText((text, random) => {
  const one = found(text, /<([\w:]+)[^<>]*>[^]{0,2000}?<\/\1>/g, random);
  const other = found(text, />/g, random);
  if (one === null || other === null) return text;
  return text.slice(0, other.index + 1) + one[0] + text.slice(other.index + 1);
});
const tokens = [
  '<',
  '>',
  '&',
  '"',
  "'",
  '&#0;',
  '&#x110000;',
  '<!--',
  ']]>',
  '<![CDATA[',
  '\0',
  '\n',
  '|',
  '`',
  '*',
  '[',
  '\\',
];
const token = inText((text, random) => {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.oneOf(tokens).repeat(random.chance(0.1) ? 1_000 : 1) + text.slice(at);
});

const textChanges: readonly Change[] = [number, number, tag, tag, transplant, token, flip, cut, double, move, end];

const isText = (bytes: Buffer): boolean => {
  const head = bytes.subarray(0, 200);
  return head.length > 0 && !head.some((byte) => byte < 9);
};

/** The bytes, changed at some places. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  let changed = bytes;
  for (let left = 1 + random.below(4); left > 0; left--) {
    const change = random.oneOf(isText(changed) && random.chance(0.8) ? textChanges : binaryChanges);
    const next = change(changed, random);
    if (next.length <= MAX_BYTES) changed = next;
  }
  return changed;
}
