import type { Span } from '../../document.ts';
import { type Element, type Node, attribute, isElement, isText, skippedTags } from './tree.ts';
import { mathmlLatex } from '../../package/mathml.ts';
import type { XmlElement, XmlNode } from '../../package/xml.ts';

type Looks = Omit<Span, 'text'>;

const styles: Readonly<Record<string, Looks>> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  cite: { italic: true },
  s: { strike: true },
  del: { strike: true },
  strike: { strike: true },
  code: { code: true },
  kbd: { code: true },
  samp: { code: true },
  tt: { code: true },
  sub: { script: 'sub' },
  sup: { script: 'super' },
};

/** Addresses that lead somewhere; those within the page and scripts do not. */
const isOutsideLink = (address: string | undefined): address is string =>
  address !== undefined &&
  /^(?:https?:|mailto:|tel:|\/|\.|[\w-]+(?:\/|\.\w))/i.test(address) &&
  !/^javascript:/i.test(address);

function looksOf(element: Element, looks: Looks): Looks {
  const own = styles[element.tagName];
  const address = element.tagName === 'a' ? attribute(element, 'href') : undefined;
  if (own === undefined && !isOutsideLink(address)) return looks;
  return { ...looks, ...own, ...(isOutsideLink(address) ? { link: address } : {}) };
}

/** Deeper formulas are text. */
const MAX_FORMULA_DEPTH = 100;

/** A formula of a page as the readers of XML have it; null for one that is too deep. */
function formulaOf(element: Element, depth = 0): XmlElement | null {
  if (depth > MAX_FORMULA_DEPTH) return null;
  const children: XmlNode[] = [];
  for (const node of element.childNodes) {
    if (isText(node)) children.push(node.value);
    else if (isElement(node)) {
      const child = formulaOf(node, depth + 1);
      if (child === null) return null;
      children.push(child);
    }
  }
  const attributes = Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]));
  return { name: `math:${element.tagName}`, attributes, children };
}

/** LaTeX of a formula. */
function latexOf(element: Element): string | null {
  if (element.tagName !== 'math') return null;
  const formula = formulaOf(element);
  return formula === null ? null : mathmlLatex(formula);
}

const sameLooks = (one: Looks, other: Looks) => JSON.stringify(one) === JSON.stringify(other);

/** Text of a line as it is shown: blanks put together, lines broken where the page breaks them. */
export class Line {
  readonly #spans: { text: string; looks: Looks }[] = [];

  /** Appends a node with all that is in it. Without recursion. */
  add(root: Node): void {
    const stack: { node: Node | null; looks: Looks; mark?: string }[] = [{ node: root, looks: {} }];
    for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
      const { node, looks, mark } = entry;
      if (mark !== undefined) this.#push(mark, looks);
      if (node === null) continue;
      if (isText(node)) this.#push(node.value.replaceAll(/[ \t\n\r\f]+/g, ' '), looks);
      if (!isElement(node) || skippedTags.has(node.tagName)) continue;
      const latex = latexOf(node);
      if (latex !== null) this.#push(latex, { ...looks, math: true });
      else if (node.tagName === 'br') this.#push('\n', looks);
      // One that is hidden from readers stands for what is written beside it, such as a formula.
      else if (node.tagName === 'img')
        this.#push(attribute(node, 'aria-hidden') === 'true' ? '' : (attribute(node, 'alt') ?? ''), looks);
      else if (node.tagName === 'input') this.#push(this.#field(node), looks);
      else {
        const inner = looksOf(node, looks);
        if (node.tagName === 'q') stack.push({ node: null, looks, mark: '”' });
        for (let at = node.childNodes.length - 1; at >= 0; at--)
          stack.push({ node: node.childNodes[at] ?? null, looks: inner });
        if (node.tagName === 'q') this.#push('“', looks);
      }
    }
  }

  #field(element: Element): string {
    const type = attribute(element, 'type') ?? 'text';
    if (type === 'checkbox' || type === 'radio')
      return element.attrs.some(({ name }) => name === 'checked') ? '☑ ' : '☐ ';
    return type === 'hidden' || type === 'password' ? '' : (attribute(element, 'value') ?? '');
  }

  #push(text: string, looks: Looks): void {
    if (text === '') return;
    const last = this.#spans.at(-1);
    if (last !== undefined && sameLooks(last.looks, looks)) last.text += text;
    else this.#spans.push({ text, looks });
  }

  /** What was added, without blanks at the ends and beside each other; begins anew. */
  take(): Span[] {
    const spans: Span[] = [];
    let blank = true;
    for (const { text, looks } of this.#spans) {
      let clean = text.replaceAll(/ *\n */g, '\n');
      if (blank) clean = clean.replace(/^ +/, '');
      if (clean === '') continue;
      blank = /\s$/.test(clean);
      spans.push({ text: clean, ...looks });
    }
    this.#spans.length = 0;
    while (spans.length > 0) {
      const last = spans.at(-1);
      const text = last?.text.trimEnd() ?? '';
      if (last === undefined || text === last.text) break;
      spans.pop();
      if (text !== '') spans.push({ ...last, text });
    }
    const [first] = spans;
    if (first !== undefined) spans[0] = { ...first, text: first.text.trimStart() };
    return spans;
  }
}
