import { firstMark, partialMark } from '../marks.ts';
import { DEEPSEEK } from '../tool-forms.ts';
import { MarkedCalls } from './marked-calls.ts';

const { call: OPEN, separator: SEPARATOR, callEnd: CLOSE, close: END, code: CODE } = DEEPSEEK;
/** Also with a line break before the mark, which some replies have. */
const CODE_BLOCK_ENDS = ['', DEEPSEEK.codeEnd, `${DEEPSEEK.codeEnd}\n`].flatMap((fence) => [
  fence + CLOSE,
  fence + END,
]);

/**
 * Reads `NAME<｜tool▁sep｜>{…}`, and the older form with the word function before and a code block around. Arguments are
 * emitted as they arrive. Source: DeepSeek V3, R1 and V3.1 templates.
 */
export class DeepSeekCalls extends MarkedCalls<'head' | 'form'> {
  #head = '';
  /** What may end the arguments under way. */
  #ends: readonly string[] = [];

  protected step(): boolean {
    switch (this.place) {
      case 'between':
        return this.#between();
      case 'head':
        return this.#readHead();
      case 'form':
        return this.#readForm();
      case 'arguments':
        return this.#readArguments();
    }
  }

  #between(): boolean {
    const text = this.held.trimStart();
    const mark = [OPEN, CLOSE, END].find((each) => text.startsWith(each));
    if (mark === undefined) return [OPEN, CLOSE, END].some((each) => each.startsWith(text)) ? false : this.fail();
    if (mark !== OPEN && this.callCount === 0) return this.fail();
    this.take(this.held.length - text.length + mark.length);
    if (mark === OPEN) this.place = 'head';
    else this.raw = '';
    return true;
  }

  #readHead(): boolean {
    const found = firstMark(this.held, [SEPARATOR, OPEN, CLOSE, END]);
    if (!found) return false;
    if (found.mark !== SEPARATOR) return this.fail();
    this.#head = this.held.slice(0, found.at).trim();
    this.take(found.at + SEPARATOR.length);
    this.place = 'form';
    return true;
  }

  /** Tells the two forms apart: arguments as such begin with a brace, a name is one line. */
  #readForm(): boolean {
    const text = this.held.trimStart();
    if (text === '') return false;
    const line = this.held.indexOf('\n');
    if (text.startsWith('{') || this.#head !== 'function') return this.#begin(this.#head, 0, false);
    if (line < 0) return this.held.includes('<｜') ? this.fail() : false;
    const code = this.held.slice(line, line + CODE.length);
    if (code !== CODE && CODE.startsWith(code)) return false;
    if (code !== CODE) return this.fail();
    return this.#begin(this.held.slice(0, line).trim(), line + CODE.length, true);
  }

  #begin(name: string, at: number, coded: boolean): boolean {
    if (name === '' || /[\s<>{}"]/.test(name)) return this.fail();
    this.#ends = coded ? CODE_BLOCK_ENDS : [CLOSE, END];
    return this.begin(name, at);
  }

  #readArguments(): boolean {
    const found = firstMark(this.held, this.#ends);
    const end = found ? found.at : this.held.length - partialMark(this.held, this.#ends);
    this.arguments?.push(this.held.slice(0, end));
    this.held = this.held.slice(found ? end + found.mark.length : end);
    if (!found) return false;
    this.arguments?.end();
    this.place = 'between';
    return true;
  }
}
