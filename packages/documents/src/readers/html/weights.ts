import { type Element, childrenOf, descendants, isText, skippedTags } from './tree.ts';

// How much the elements of a page hold, and in what: what tells its text from the parts around that.

/** How much an element holds; letters are all but blanks. */
export interface Weight {
  letters: number;
  /** In links. */
  linked: number;
  /** In sentences: paragraphs, items and cells, without links. */
  prose: number;
  links: number;
}

export type Weights = ReadonlyMap<Element, Weight>;

/** What people act with. */
export const isControl = ({ tagName }: Element): boolean => tagName === 'button' || tagName === 'select';

const isSkipped = (element: Element): boolean => skippedTags.has(element.tagName) || isControl(element);

const proseTags = new Set('p pre blockquote td dd li h1 h2 h3 h4 h5 h6'.split(' '));

/** Letters that stand in no paragraph, as on older pages, between `br` alone: so many of one element are sentences. */
const MIN_LOOSE_LETTERS = 40;

/** Weights of the elements of a page that hold text. Without recursion. */
export function weigh(body: Element): Weights {
  interface Flags {
    readonly inLink: boolean;
    readonly inProse: boolean;
  }
  const flags = new Map<Element, Flags>();
  const weights = new Map<Element, Weight>();
  for (const element of [body, ...descendants(body)]) {
    const outer = flags.get(element.parentNode as Element);
    if (isSkipped(element) || (outer === undefined && element !== body)) continue;
    const inLink = outer?.inLink === true || element.tagName === 'a';
    const inProse = outer?.inProse === true || proseTags.has(element.tagName);
    flags.set(element, { inLink, inProse });
    let letters = 0;
    for (const node of childrenOf(element)) if (isText(node)) letters += node.value.replaceAll(/\s+/g, '').length;
    weights.set(element, {
      letters,
      linked: inLink ? letters : 0,
      prose: (inProse || letters >= MIN_LOOSE_LETTERS) && !inLink ? letters : 0,
      links: element.tagName === 'a' ? 1 : 0,
    });
  }
  // What stands in an element comes before it so.
  for (const [element, weight] of [...weights].toReversed()) {
    const outer = weights.get(element.parentNode as Element);
    if (outer === undefined) continue;
    outer.letters += weight.letters;
    outer.linked += weight.linked;
    outer.prose += weight.prose;
    outer.links += weight.links;
  }
  return weights;
}
