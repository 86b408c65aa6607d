const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  '0': '\0',
  '\n': '',
};
/** How many hexadecimal digits follow the letter of an escape. */
const digits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** A text as JSON, without its quotation marks. Both halves of a character come together. */
const inner = (text: string) => JSON.stringify(text).slice(1, -1);

/** Reads a text of Python, after its quotation mark, and writes it as JSON, before its quotation mark. */
export class PythonText {
  readonly #quote: string;
  /** An escape that is not whole, or the first half of a character. */
  #held = '';
  isOver = false;

  constructor(quote: string) {
    this.#quote = quote;
  }

  /** Takes one character; returns JSON. */
  push(c: string): string {
    if (this.#held.startsWith('\\')) return this.#escape(c);
    if (this.#held !== '') {
      const pair = this.#held + c;
      this.#held = '';
      return /^[\udc00-\udfff]$/.test(c) ? inner(pair) : inner(pair.charAt(0)) + this.push(c);
    }
    if (c === this.#quote) {
      this.isOver = true;
      return '"';
    }
    if (c !== '\\' && !/[\ud800-\udbff]/.test(c)) return inner(c);
    this.#held = c;
    return '';
  }

  /** The reply ends within the text. Returns what was held. */
  cut(): string {
    return this.isOver || this.#held.startsWith('\\') ? '' : inner(this.#held);
  }

  #escape(c: string): string {
    const all = this.#held + c;
    const letter = all.charAt(1);
    const count = digits[letter] ?? 0;
    if (all.length < 2 + count && (all.length === 2 || /[0-9a-f]/i.test(c))) {
      this.#held = all;
      return '';
    }
    this.#held = '';
    const code = count > 0 ? Number.parseInt(all.slice(2), 16) : NaN;
    if (all.length === 2 + count && code <= 0x10_ffff) {
      // One half may stand before the other, each with an escape of its own.
      return code > 0xffff ? inner(String.fromCodePoint(code)) : unit(code);
    }
    if (count === 0) return inner(escapes[letter] ?? (/["'\\]/.test(letter) ? letter : all));
    return inner(all.slice(0, -1)) + this.push(c);
  }
}

/** One unit of UTF-16 as JSON. */
const unit = (code: number) =>
  code >= 0xd800 && code <= 0xdfff ? `\\u${code.toString(16)}` : inner(String.fromCharCode(code));

const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** A value of Python as JSON. What is none is a text. */
export function pythonToJson(source: string): string {
  let json = '';
  for (let i = 0; i < source.length;) {
    const c = source.charAt(i);
    if (c === '"' || c === "'") {
      const text = new PythonText(c);
      json += '"';
      i++;
      while (i < source.length && !text.isOver) json += text.push(source.charAt(i++));
      continue;
    }
    const word = /^[A-Za-z_]\w*/.exec(source.slice(i))?.[0] ?? '';
    json += word === '' ? (c === '(' ? '[' : c === ')' ? ']' : c) : (words[word] ?? word);
    i += word.length || 1;
  }
  const clean = json.replace(/,(\s*[\]}])/g, '$1');
  return isJson(json) ? json : isJson(clean) ? clean : JSON.stringify(source);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Text of a model.
    return false;
  }
}
