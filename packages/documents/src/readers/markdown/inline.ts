import type { Token, Tokens } from 'marked';
import type { Span } from '../../document.ts';
import type { Budget } from '../budget.ts';
import { unescaped } from './letters.ts';

type Looks = Omit<Span, 'text'>;

/** Tags of HTML within a line that say how their text looks. */
const tagLooks: Readonly<Record<string, Looks>> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  s: { strike: true },
  del: { strike: true },
  strike: { strike: true },
  code: { code: true },
  kbd: { code: true },
  sup: { script: 'super' },
  sub: { script: 'sub' },
};

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  readonly attributes: string;
}

function tagOf(raw: string): Tag | null {
  const [, slash, name, attributes = ''] = /^<(\/?)([a-z][a-z\d]*)\b([^<>]*)>$/i.exec(raw.trim()) ?? [];
  return name === undefined ? null : { name: name.toLowerCase(), closes: slash === '/', attributes };
}

const attributeOf = (attributes: string, name: string): string => {
  const [, quoted, single, bare] =
    new RegExp(String.raw`\b${name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, 'i').exec(attributes) ?? [];
  return unescaped(quoted ?? single ?? bare ?? '');
};

/** Comments are left out, also one that has no end. */
function withoutComments(html: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let from = html.indexOf('<!--'); from !== -1; from = html.indexOf('<!--', at)) {
    parts.push(html.slice(at, from));
    const end = html.indexOf('-->', from + 4);
    at = end === -1 ? html.length : end + 3;
  }
  return parts.join('') + html.slice(at);
}

/** The words between tags, line by line as they are written. */
export const withoutTags = (html: string): string => withoutComments(html).replaceAll(/<\/?[a-z][^<>]*>/gi, '');

const noteReference = /\[\^([^\]\s]{1,100})\]/g;

/** Looks by the tags of HTML that are open in a line. */
class OpenTags {
  readonly #open: { readonly name: string; readonly looks: Looks }[] = [];

  /** Looks of what stands within all of them. */
  get looks(): Looks {
    return Object.assign({}, ...this.#open.map(({ looks }) => looks)) as Looks;
  }

  /** Opens or closes a tag; one without looks changes nothing. */
  take({ name, closes, attributes }: Tag): void {
    if (closes) {
      const at = this.#open.findLastIndex((one) => one.name === name);
      if (at >= 0) this.#open.splice(at);
      return;
    }
    const address = name === 'a' ? attributeOf(attributes, 'href') : '';
    const looks = address === '' ? tagLooks[name] : { link: address };
    if (looks !== undefined) this.#open.push({ name, looks });
  }
}

/** What stands in the lines of a Markdown text. */
export class InlineReader {
  readonly #budget: Budget;
  readonly #notes: ReadonlyMap<string, string>;

  /** `notes`: texts by the name that lines refer to them by. */
  constructor(budget: Budget, notes: ReadonlyMap<string, string>) {
    this.#budget = budget;
    this.#notes = notes;
  }

  spans(tokens: readonly Token[] | undefined, looks: Looks = {}, depth = 0): Span[] {
    const spans: Span[] = [];
    const tags = new OpenTags();
    for (const token of (tokens ?? []) as readonly Tokens.Generic[]) {
      const tag = token.type === 'html' ? tagOf(token.raw) : null;
      const own = { ...looks, ...tags.looks };
      if (tag === null) spans.push(...this.#span(token, own, depth));
      else if (tag.name === 'br') spans.push({ text: '\n', ...own });
      else if (tag.name === 'img') spans.push(...this.#plain(attributeOf(tag.attributes, 'alt'), own));
      else tags.take(tag);
    }
    return spans;
  }

  #span(token: Tokens.Generic, looks: Looks, depth: number): Span[] {
    const inner = (more: Looks): Span[] =>
      this.#budget.mayNest(depth + 1) && token.tokens !== undefined
        ? this.spans(token.tokens, { ...looks, ...more }, depth + 1)
        : [{ text: String(token['text'] ?? ''), ...looks, ...more }];
    switch (token.type) {
      case 'strong':
        return inner({ bold: true });
      case 'em':
        return inner({ italic: true });
      case 'del':
        return inner({ strike: true });
      case 'link':
        return inner({ link: String(token['href']) });
      case 'codespan':
        return [{ text: String(token['text']), ...looks, code: true }];
      case 'br':
        return [{ text: '\n', ...looks }];
      case 'image':
      case 'formula':
        return [{ text: String(token['text']), ...looks }];
      case 'html':
        return this.#plain(withoutComments(token.raw), looks);
      case 'checkbox':
        return [];
      default:
        return token.tokens === undefined
          ? this.#plain(unescaped(String(token['text'] ?? token.raw)), looks)
          : inner({});
    }
  }

  #plain(text: string, looks: Looks): Span[] {
    const spans: Span[] = [];
    let at = 0;
    for (const found of this.#notes.size > 0 ? text.matchAll(noteReference) : []) {
      const [whole, id = ''] = found;
      if (!this.#notes.has(id)) continue;
      if (found.index > at) spans.push({ text: text.slice(at, found.index), ...looks });
      spans.push({ text: id, ...looks, note: id });
      at = found.index + whole.length;
    }
    if (at < text.length) spans.push({ text: text.slice(at), ...looks });
    return spans;
  }
}
