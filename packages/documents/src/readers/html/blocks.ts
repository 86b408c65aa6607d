import { parseFragment } from 'parse5';
import { type Block, type ListItem, type Span, plain, textOf } from '../../document.ts';
import type { Budget } from '../budget.ts';
import { Line } from './spans.ts';
import { tableOf } from './table.ts';
import {
  type Element,
  type Node,
  attribute,
  descendants,
  childrenOf,
  inlineElements,
  isElement,
  isText,
  skippedTags,
  textContent,
} from './tree.ts';
import { append } from '../../package/append.ts';

/** As deep as pages of people go; what lies deeper is read as plain text. */
const MAX_DEPTH = 400;
/** Least share of the letters of a navigation that are in links. */
const MIN_NAVIGATION_LINK_SHARE = 0.5;

interface Place {
  readonly depth: number;
  readonly hidden: boolean;
}

/** What a tab shows is read, whichever of them is open. */
const isTabPanel = (element: Element) =>
  attribute(element, 'role') === 'tabpanel' ||
  /(?:^|[\s_-])tab[\s_-]?(?:panel|pane|cont|content|body|box)s?(?:$|[\s_\d-])/i.test(
    `${attribute(element, 'class') ?? ''} ${attribute(element, 'id') ?? ''}`,
  );

const isHidden = (element: Element) =>
  !isTabPanel(element) &&
  (element.attrs.some(({ name }) => name === 'hidden') ||
    attribute(element, 'aria-hidden') === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attribute(element, 'style') ?? ''));

/** What leads through a site and is no part of its text: marked as such, and links for the most part. */
function isNavigation(element: Element): boolean {
  if (element.tagName !== 'nav' && attribute(element, 'role') !== 'navigation') return false;
  const all = textContent(element).length;
  let linked = 0;
  for (const inner of descendants(element)) if (inner.tagName === 'a') linked += textContent(inner).length;
  return all === 0 || linked / all >= MIN_NAVIGATION_LINK_SHARE;
}

/** Parts of a page around its main text. */
const marginOf = (element: Element): 'header' | 'footer' | null => {
  const role = attribute(element, 'role');
  if (role === 'banner') return 'header';
  return role === 'contentinfo' ? 'footer' : null;
};

/** True when blocks stand in it, so that it is no line of text. A formula is a part of its line, whatever its elements. */
function holdsBlocks(root: Node): boolean {
  if (!isElement(root)) return false;
  if (!inlineElements.has(root.tagName)) return !skippedTags.has(root.tagName);
  const stack: Node[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!isElement(node) || node.tagName === 'math') continue;
    if (!inlineElements.has(node.tagName) && !skippedTags.has(node.tagName)) return true;
    append(stack, node.childNodes);
  }
  return false;
}

class Page {
  readonly #budget: Budget;
  /** Parts around the text. */
  readonly #around: ReadonlySet<Element>;

  constructor(budget: Budget, around: ReadonlySet<Element>) {
    this.#budget = budget;
    this.#around = around;
  }

  #spans(element: Element): Span[] {
    const line = new Line();
    for (const child of element.childNodes) line.add(child);
    return line.take();
  }

  /** Blocks of what stands in an element. */
  blocks(parent: Element | { childNodes: Node[] }, place: Place): Block[] {
    const blocks: Block[] = [];
    const line = new Line();
    const close = () => {
      const spans = line.take();
      if (textOf(spans).trim() !== '') blocks.push(this.#paragraph(spans, place));
    };
    for (const node of childrenOf(parent as Element)) {
      if (isElement(node) && this.#around.has(node)) {
        close();
        append(blocks, this.#margin(node, place));
        continue;
      }
      if (isText(node) || !holdsBlocks(node)) {
        const picture = !isElement(node)
          ? null
          : node.tagName === 'img'
            ? 'image'
            : node.tagName === 'svg'
              ? 'drawing'
              : null;
        if (picture !== null && isElement(node)) {
          close();
          append(blocks, picture === 'image' ? this.#picture(node, place) : this.#drawing(node, place));
        } else line.add(node);
        continue;
      }
      close();
      if (isElement(node)) append(blocks, this.#element(node, place));
    }
    close();
    return blocks;
  }

  /** A part around the text: no part of it, and not lost. */
  #margin(element: Element, place: Place): Block[] {
    const inner = this.#element(element, place);
    const [first] = inner;
    if (first === undefined || (inner.length === 1 && (first.type === 'header' || first.type === 'footer')))
      return inner;
    return [{ type: element.tagName === 'header' ? 'header' : 'footer', page: null, blocks: inner }];
  }

  #paragraph(spans: readonly Span[], { hidden }: Place): Block {
    this.#budget.text(textOf(spans).length);
    return { type: 'paragraph', page: null, spans, ...(hidden ? { hidden } : {}) };
  }

  #picture(element: Element, { hidden }: Place): Block[] {
    const alt = attribute(element, 'alt')?.trim() ?? '';
    return alt === '' ? [] : [{ type: 'image', page: null, alt, ...(hidden ? { hidden } : {}) }];
  }

  /** A drawing with words in it, such as a chart; none that is a sign alone. */
  #drawing(element: Element, { hidden }: Place): Block[] {
    const lines: string[] = [];
    const stack: Node[] = [...element.childNodes].toReversed();
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (!isElement(node) || skippedTags.has(node.tagName)) continue;
      if (/^(?:text|p|h[1-6])$/.test(node.tagName)) lines.push(textContent(node));
      else append(stack, [...node.childNodes].toReversed());
    }
    const text = lines.filter((line) => line !== '').join('\n');
    this.#budget.text(text.length);
    return text === '' ? [] : [{ type: 'image', page: null, text, ...(hidden ? { hidden } : {}) }];
  }

  #element(element: Element, outer: Place): Block[] {
    const place = { depth: outer.depth + 1, hidden: outer.hidden || isHidden(element) };
    if (skippedTags.has(element.tagName) || isNavigation(element)) return [];
    if (place.depth > MAX_DEPTH) {
      const text = textContent(element);
      return text === '' ? [] : [this.#paragraph(plain(text), place)];
    }
    const { tagName } = element;
    if (/^h[1-6]$/.test(tagName)) return this.#heading(element, Number(tagName[1]), place);
    if (tagName === 'ul' || tagName === 'ol' || tagName === 'menu') return this.#list(element, place);
    if (tagName === 'dl') return this.#definitions(element, place);
    if (tagName === 'table') return this.#table(element, place);
    if (tagName === 'pre') return this.#code(element, place);
    if (tagName === 'figure') return this.#figure(element, place);
    const inner = this.blocks(element, place);
    if (tagName === 'blockquote')
      return inner.map((block) => (block.type === 'paragraph' ? { ...block, role: 'quote' as const } : block));
    const margin = marginOf(element);
    return margin === null || inner.length === 0 ? inner : [{ type: margin, page: null, blocks: inner }];
  }

  #heading(element: Element, level: number, place: Place): Block[] {
    const spans = this.#spans(element).map(({ bold: _bold, ...span }) => span);
    if (textOf(spans).trim() === '') return [];
    this.#budget.text(textOf(spans).length);
    return [{ type: 'heading', level, page: null, spans, ...(place.hidden ? { hidden: true } : {}) }];
  }

  #code(element: Element, place: Place): Block[] {
    const parts: string[] = [];
    const stack: Node[] = [...element.childNodes].toReversed();
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (isText(node)) parts.push(node.value);
      else if (isElement(node) && node.tagName === 'br') parts.push('\n');
      else if (isElement(node)) append(stack, [...node.childNodes].toReversed());
    }
    const text = parts.join('').replace(/^\n/, '').trimEnd();
    this.#budget.text(text.length);
    return text === '' ? [] : [{ type: 'code', page: null, text, ...(place.hidden ? { hidden: true } : {}) }];
  }

  #figure(element: Element, place: Place): Block[] {
    const caption = element.childNodes.find(
      (node): node is Element => isElement(node) && node.tagName === 'figcaption',
    );
    const rest = { childNodes: element.childNodes.filter((node) => node !== caption) };
    const blocks = this.blocks(rest, place);
    const spans = caption === undefined ? [] : this.#spans(caption);
    if (spans.length === 0) return blocks;
    const [first] = blocks;
    if (blocks.length === 1 && (first?.type === 'image' || first?.type === 'table'))
      return [{ ...first, caption: first.type === 'table' && first.caption ? first.caption : spans }];
    if (blocks.length === 0) return [{ type: 'image', page: null, caption: spans }];
    return [...blocks, this.#paragraph(spans, place)];
  }

  #table(element: Element, place: Place): Block[] {
    const table = tableOf(element, {
      blocksOf: (cell) => this.blocks(cell, place),
      spansOf: (one) => this.#spans(one),
      countCells: (count) => this.#budget.cells(count),
    });
    if (table === null) return this.blocks(element, place);
    const layout = ['presentation', 'none'].includes(attribute(element, 'role') ?? '');
    // A table of one cell holds text in its place and no figures.
    if (layout || table.cells.length === 1) {
      const caption = table.caption === undefined ? [] : [this.#paragraph(table.caption, place)];
      return [...caption, ...table.cells.flatMap(({ blocks }) => blocks)];
    }
    return [place.hidden ? { ...table, hidden: true } : table];
  }

  /** A term, what it means, or a group of both. */
  #definition(element: Element, place: Place): Block[] {
    if (element.tagName !== 'div') return this.blocks(element, place);
    const deeper = { ...place, depth: place.depth + 1 };
    return deeper.depth > MAX_DEPTH ? this.#element(element, place) : this.#definitions(element, deeper);
  }

  #definitions(element: Element, place: Place): Block[] {
    const blocks: Block[] = [];
    for (const node of element.childNodes) {
      if (!isElement(node)) {
        if (isText(node) && node.value.trim() !== '')
          blocks.push(this.#paragraph(plain(node.value.replaceAll(/\s+/g, ' ').trim()), place));
        continue;
      }
      const inner = this.#definition(node, place);
      if (node.tagName === 'dt')
        append(
          blocks,
          inner.map((block) =>
            block.type === 'paragraph'
              ? { ...block, spans: block.spans.map((span) => ({ ...span, bold: true })) }
              : block,
          ),
        );
      else append(blocks, inner);
    }
    return blocks;
  }

  /** One list with the items of the lists in it; what else stands in an item follows as blocks of its own. */
  #list(element: Element, place: Place): Block[] {
    const blocks: Block[] = [];
    let items: ListItem[] = [];
    const close = () => {
      if (items.length > 0) blocks.push({ type: 'list', page: null, items, ...(place.hidden ? { hidden: true } : {}) });
      items = [];
    };
    const take = (list: Element, level: number, depth: number): void => {
      const ordered = list.tagName === 'ol';
      let number = Number.parseInt(attribute(list, 'start') ?? '1', 10) || 1;
      for (const node of list.childNodes) {
        if (!isElement(node)) {
          if (isText(node) && node.value.trim() !== '')
            items.push({ level, marker: '', ordered: false, spans: plain(node.value.replaceAll(/\s+/g, ' ').trim()) });
          continue;
        }
        if (/^(?:ul|ol|menu)$/.test(node.tagName)) {
          if (this.#budget.mayNest(depth + 1)) take(node, level + 1, depth + 1);
          else items.push({ level, marker: '-', ordered: false, spans: plain(textContent(node)) });
          continue;
        }
        if (node.tagName !== 'li') {
          close();
          append(blocks, this.#element(node, place));
          continue;
        }
        const value = Number.parseInt(attribute(node, 'value') ?? '', 10);
        if (Number.isFinite(value)) number = value;
        const marker = ordered ? `${number++}.` : '-';
        const inner = { childNodes: node.childNodes.filter((one) => !isList(one)) };
        const [first, ...others] = this.blocks(inner, { ...place, depth: place.depth + depth });
        const spans = first?.type === 'paragraph' ? first.spans : [];
        // One of a picture without words, as menus of signs have them, says nothing.
        if (spans.length > 0 || node.childNodes.some(isList)) items.push({ level, marker, ordered, spans });
        const rest = first === undefined || first.type === 'paragraph' ? others : [first, ...others];
        for (const block of rest) {
          if (block.type === 'paragraph')
            items.push({ level: level + 1, marker: '', ordered: false, spans: block.spans });
          else {
            close();
            blocks.push(block);
          }
        }
        for (const nested of node.childNodes.filter(isList)) {
          if (this.#budget.mayNest(depth + 1)) take(nested, level + 1, depth + 1);
          else items.push({ level: level + 1, marker: '-', ordered: false, spans: plain(textContent(nested)) });
        }
      }
    };
    take(element, 0, 0);
    close();
    return blocks;
  }
}

const isList = (node: Node): node is Element => isElement(node) && /^(?:ul|ol|menu)$/.test(node.tagName);

type Parent = Element | { childNodes: Node[] };

/** Blocks of an element of a page; those of the parts around its text are headers and footers. */
export const blocksOf = (parent: Parent, budget: Budget, around: ReadonlySet<Element> = new Set()): Block[] =>
  new Page(budget, around).blocks(parent, { depth: 0, hidden: false });

/** Blocks of a piece of HTML, as other formats hold it. */
export const blocksOfPiece = (html: string, budget: Budget): Block[] => blocksOf(parseFragment(html), budget);
