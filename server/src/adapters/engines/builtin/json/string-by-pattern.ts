/**
 * A short text that a regular expression of a JSON schema (ECMA-262, as draft 2020-12 asks) matches, for the common
 * parts of the language: literals, classes, groups, alternatives, counted repetition, anchors. Null for anything else.
 */
export function stringByPattern(pattern: string, minLength = 0): string | null {
  if (pattern.length > MAX_PATTERN_LENGTH) return null;
  try {
    const plain = new PatternReader(pattern, 0).whole();
    if (plain.length >= minLength) return plain;
    // Longer by repeating more often whatever may be repeated.
    const longer = new PatternReader(pattern, minLength - plain.length).whole();
    return longer.length >= minLength
      ? longer
      : longer + 'x'.repeat(pattern.endsWith('$') ? 0 : minLength - longer.length);
  } catch (error) {
    if (error instanceof NotRead) return null;
    throw error;
  }
}

const MAX_PATTERN_LENGTH = 1_000;
const MAX_RESULT_LENGTH = 2_000;
const MAX_DEPTH = 50;

/** The pattern uses something that is not read here. */
class NotRead extends Error {}

const PREFERRED = 'a0A-_ .가b1B';

const classes: Readonly<Record<string, { readonly has: RegExp; readonly sample: string }>> = {
  d: { has: /\d/, sample: '1' },
  w: { has: /\w/, sample: 'a' },
  s: { has: /\s/, sample: ' ' },
  D: { has: /\D/, sample: 'a' },
  W: { has: /\W/, sample: '-' },
  S: { has: /\S/, sample: 'a' },
};

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' };

class PatternReader {
  private at = 0;
  private depth = 0;
  private readonly pattern: string;
  /** Characters still wanted from repetitions beyond their least. */
  private more: number;

  constructor(pattern: string, more: number) {
    this.pattern = pattern;
    this.more = Math.min(more, MAX_RESULT_LENGTH);
  }

  whole(): string {
    const text = this.alternatives();
    if (this.at < this.pattern.length) throw new NotRead();
    return text;
  }

  private peek(): string {
    return this.pattern.charAt(this.at);
  }

  /** The first alternative; the others are read and left. */
  private alternatives(): string {
    if (++this.depth > MAX_DEPTH) throw new NotRead();
    const first = this.sequence();
    while (this.peek() === '|') {
      this.at++;
      const { more } = this;
      this.more = 0;
      this.sequence();
      this.more = more;
    }
    this.depth--;
    return first;
  }

  private sequence(): string {
    let out = '';
    while (this.at < this.pattern.length && this.peek() !== '|' && this.peek() !== ')') {
      const piece = this.atom();
      out += this.repeated(piece);
      if (out.length > MAX_RESULT_LENGTH) throw new NotRead();
    }
    return out;
  }

  private repeated(piece: string): string {
    const rest = this.pattern.slice(this.at, this.at + 24);
    const counted = /^(?:\*|\+|\?|\{(\d{1,5})(,?)(\d{0,5})\})\??/.exec(rest);
    if (!counted) return piece;
    this.at += counted[0].length;
    const sign = counted[0].charAt(0);
    const least = sign === '{' ? Number(counted[1]) : sign === '+' ? 1 : 0;
    const most =
      sign === '?'
        ? 1
        : sign !== '{' || (counted[2] === ',' && counted[3] === '')
          ? Infinity
          : counted[2] === ','
            ? Number(counted[3])
            : least;
    const extra = piece === '' ? 0 : Math.min(most - least, Math.ceil(this.more / piece.length));
    this.more = Math.max(0, this.more - extra * piece.length);
    if ((least + extra) * piece.length > MAX_RESULT_LENGTH) throw new NotRead();
    return piece.repeat(least + extra);
  }

  private atom(): string {
    const char = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0);
    this.at += char.length;
    switch (char) {
      case '^':
      case '$':
        return '';
      case '.':
        return 'a';
      case '(':
        return this.group();
      case '[':
        return this.set();
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        throw new NotRead();
      default:
        return char;
    }
  }

  private group(): string {
    const head = /^\?(?::|<[A-Za-z]\w*>)/.exec(this.pattern.slice(this.at, this.at + 60));
    if (head) this.at += head[0].length;
    else if (this.peek() === '?') throw new NotRead();
    const inner = this.alternatives();
    if (this.peek() !== ')') throw new NotRead();
    this.at++;
    return inner;
  }

  private escape(): string {
    const char = this.peek();
    this.at++;
    const known = classes[char];
    if (known) return known.sample;
    const coded =
      char === 'u'
        ? /^[0-9a-fA-F]{4}/.exec(this.pattern.slice(this.at))
        : char === 'x'
          ? /^[0-9a-fA-F]{2}/.exec(this.pattern.slice(this.at))
          : null;
    if (coded) {
      this.at += coded[0].length;
      return String.fromCharCode(Number.parseInt(coded[0], 16));
    }
    if (
      char === 'b' ||
      char === 'B' ||
      char === 'p' ||
      char === 'P' ||
      char === 'k' ||
      char === 'c' ||
      /[1-9]/.test(char) ||
      char === ''
    )
      throw new NotRead();
    return escapes[char] ?? char;
  }

  private set(): string {
    const end = this.setEnd();
    const source = this.pattern.slice(this.at - 1, end + 1);
    this.at = end + 1;
    // The class alone is one character wide: testing it cannot take long.
    const has = compile(`^${source}$`);
    const first = source.charAt(1) === '^' ? '' : source.charAt(1) === '\\' ? '' : source.charAt(1);
    const found = [
      first,
      ...Array.from(PREFERRED),
      ...Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)),
      '가',
      'é',
      '一',
      '\n',
      '\t',
    ].find((c) => c !== '' && has.test(c));
    if (found === undefined) throw new NotRead();
    return found;
  }

  private setEnd(): number {
    for (let end = this.at; end < this.pattern.length; end++) {
      const char = this.pattern.charAt(end);
      if (char === '\\') end++;
      else if (char === ']' && end > this.at) return end;
    }
    throw new NotRead();
  }
}

function compile(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    throw new NotRead();
  }
}
