import { append } from '../../package/append.ts';
import { asideNames } from './aside-names.ts';
import { type Element, attribute, childrenOf, descendants, isElement, textContent } from './tree.ts';
import { type Weights, isControl, weigh } from './weights.ts';

// What stands around the text of a web page: menus, what else there is to read, comments, forms, legal lines. Told by what pages say of
// their parts (HTML, ARIA), by what their authors call them, and by how much of a part is links.

/** Parts that are never the text of a page. Sources: HTML, 4.3; WAI-ARIA 1.2, 5.3. */
const asideTags = new Set(['aside', 'footer', 'nav']);
const asideRoles = new Set(
  'complementary contentinfo navigation banner search dialog alertdialog menu menubar toolbar'.split(' '),
);
/** The same as WordPress has them; other programs call all parts of a page widgets. */
const asideClasses = /(?:^|\s)(?:widget_\w|widget-area)/;
const namedTags = new Set('div section ul ol p header table dl form'.split(' '));
const listTags = new Set('ul ol div section table p'.split(' '));

/** A part that has more of the sentences than that is no part around them. */
const MAX_ASIDE_SHARE = 0.6;
const MAX_NAMED_SHARE = 0.2;
const MAX_HEADER_SHARE = 0.1;
/** Letters in links, of those of a part that leads elsewhere, and how long its links are at most. */
const MIN_LINKED_SHARE = 0.6;
const MIN_LINKS = 3;
const MAX_LETTERS_A_LINK = 80;
/** Letters of a paragraph that is text, without links. */
const MIN_SENTENCE_LETTERS = 20;
/** The part that a page calls its main one, or an article, where it has that share of the sentences. */
const MIN_MAIN_LETTERS = 200;
const MIN_MAIN_SHARE = 0.3;
const MIN_ARTICLE_SHARE = 0.5;
const MIN_OTHER_SHARE = 0.3;
/** A heading that the name of a page holds by chance is shorter. */
const MIN_TITLE_LETTERS = 6;
/** The title is one of the first headings: each is read as a whole. */
const MAX_HEADINGS = 50;
/** Where less is left, nothing is told apart: a page of links, or one that calls its parts otherwise. */
const MIN_LEFT_LETTERS = 100;
const MIN_LEFT_SHARE = 0.05;

/** The elements that one stands in, from within; `most` of them. */
function outerOf(element: Element, most = Infinity): Element[] {
  const all: Element[] = [];
  let outer = element.parentNode;
  for (; outer !== null && 'tagName' in outer && all.length < most; outer = outer.parentNode) all.push(outer);
  return all;
}

/** What stands in an article. */
function withinArticles(weights: Weights): ReadonlySet<Element> {
  const within = new Set<Element>();
  // What an element stands in comes before it.
  for (const element of weights.keys()) {
    const outer = element.parentNode as Element;
    if (outer.tagName === 'article' || within.has(outer)) within.add(element);
  }
  return within;
}

const isMain = (element: Element): boolean => element.tagName === 'main' || attribute(element, 'role') === 'main';

/** The part that holds the text of a page; its body where it names none. */
function mainPart(body: Element, weights: Weights): Element {
  const all = [...weights];
  const prose = weights.get(body)?.prose ?? 0;
  const mains = all.filter(([element]) => isMain(element));
  const [main] = mains;
  const isOne =
    mains.length === 1 &&
    main !== undefined &&
    main[1].letters > MIN_MAIN_LETTERS &&
    main[1].prose > MIN_MAIN_SHARE * prose;
  const [top, weight] = isOne ? main : [body, weights.get(body)];
  const within = withinArticles(weights);
  const [article, ...others] = all
    .filter(([element]) => element.tagName === 'article' && !within.has(element))
    .toSorted(([, one], [, two]) => two.letters - one.letters);
  // Several of a size are the text together.
  if (
    article !== undefined &&
    others.reduce((sum, [, { prose: one }]) => sum + one, 0) > MIN_OTHER_SHARE * article[1].prose
  )
    return top;
  return article !== undefined &&
    article[1].letters > MIN_MAIN_LETTERS &&
    article[1].prose > MIN_ARTICLE_SHARE * (weight?.prose ?? 0)
    ? article[0]
    : top;
}

/**
 * The titles of a page: its first `h1`, the first one of the part that holds its text, and the first heading that its `<title>` names, as not all
 * have an `h1`. A heading that is a link alone is one only where the `<title>` begins with it: else it is the name of the site.
 */
function titlesOf(top: Element, weights: Weights, name: string): ReadonlySet<Element> {
  const isFree = (element: Element) => {
    const { letters, linked } = weights.get(element) ?? { letters: 0, linked: 0 };
    return letters > linked;
  };
  const isTitle = (element: Element) => element.tagName === 'h1' && isFree(element);
  const isNamed = (element: Element) => {
    const words = textContent(element);
    return words.length >= MIN_TITLE_LETTERS && (name.startsWith(words) || (name.includes(words) && isFree(element)));
  };
  const all = [...weights.keys()];
  const headings = all.filter(({ tagName }) => /^h[1-6]$/.test(tagName)).slice(0, MAX_HEADINGS);
  const found = [all.find(isTitle), [...descendants(top)].find(isTitle), headings.find(isNamed)];
  return new Set(found.filter((one) => one !== undefined));
}

/** Words of a button that is no question and opens nothing: what it stands for is not there to be read. */
const MAX_BUTTON_LETTERS = 15;
/** So far from it stands the heading that a button is the words of. */
const MAX_OUTER = 5;
const opening = /^(?:aria-expanded|aria-controls|data-(?:bs-)?(?:toggle|target))$/;

/** What people act with, and which says nothing of what the page is about. */
function isAct(element: Element): boolean {
  if (!isControl(element)) return false;
  if (element.tagName === 'select') return true;
  const words = textContent(element);
  return (
    words.replaceAll(/\s+/g, '').length <= MAX_BUTTON_LETTERS &&
    !words.includes('?') &&
    !element.attrs.some(({ name }) => opening.test(name)) &&
    !outerOf(element, MAX_OUTER).some(({ tagName }) => /^(?:h[1-6]|dt|th)$/.test(tagName))
  );
}

/** Names, and the words that they are made of: `family_site` and `quickMenu` are `familysite`, `family`, `site`, and so on. */
const namesOf = (element: Element): readonly string[] =>
  [attribute(element, 'class'), attribute(element, 'id')].flatMap((names = '') => [
    ...names
      .toLowerCase()
      .replaceAll(/[^a-z0-9\s]+/g, '')
      .split(/\s+/),
    ...names
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/),
  ]);

/** A link to the text of the same page, past its menus. */
const isSkipLink = (element: Element): boolean =>
  element.tagName === 'a' &&
  attribute(element, 'href')?.startsWith('#') === true &&
  /바로\s*가기|\bskip\b/i.test(textContent(element));

const hasAsideName = (element: Element): boolean =>
  asideClasses.test(attribute(element, 'class') ?? '') || namesOf(element).some((name) => asideNames.has(name));

/** Parts with sentences of their own: a list of links among them belongs to the text. */
const partsWithText = (weights: Weights): ReadonlySet<Element> =>
  new Set(
    [...weights]
      .filter(([{ tagName }, { prose }]) => tagName === 'p' && prose >= MIN_SENTENCE_LETTERS)
      .map(([element]) => element.parentNode as Element),
  );

interface Judging {
  readonly weights: Weights;
  readonly prose: number;
  readonly unlinked: number;
  readonly titles: ReadonlySet<Element>;
  /** Those, and all that they stand in. */
  readonly titled: ReadonlySet<Element>;
  /** Parts with sentences of their own. */
  readonly textual: ReadonlySet<Element>;
  /** Whether the page names the part that holds its text. */
  readonly hasMain: boolean;
  readonly byName: boolean;
}

function isAround(element: Element, { weights, prose, unlinked, textual, titled, hasMain, byName }: Judging): boolean {
  if (isAct(element)) return true;
  const weight = weights.get(element);
  if (weight === undefined) return false;
  const share = Math.max(weight.prose / prose, (weight.letters - weight.linked) / unlinked);
  if (share > MAX_ASIDE_SHARE) return false;
  const { tagName } = element;
  if (asideTags.has(tagName) || asideRoles.has(attribute(element, 'role') ?? '') || isSkipLink(element)) return true;
  if (titled.has(element)) return false;
  // The sign of a site, where the page has a title.
  if (tagName === 'h1') return weight.letters === 0 && titled.size > 0;
  if (tagName === 'header' && !hasMain && share < MAX_HEADER_SHARE && weight.links >= MIN_LINKS) return true;
  if (share >= MAX_NAMED_SHARE) return false;
  if (byName && (tagName === 'form' || (namedTags.has(tagName) && hasAsideName(element)))) return true;
  const { letters, linked, links } = weight;
  return (
    byName &&
    listTags.has(tagName) &&
    links >= MIN_LINKS &&
    linked > MIN_LINKED_SHARE * letters &&
    letters < MAX_LETTERS_A_LINK * links &&
    !textual.has(element.parentNode as Element)
  );
}

/** What stands beside the part that holds the text: around it, or what leads in between its title and itself. */
function beside(part: Element, body: Element, judging: Judging): { around: Element[]; leading: Element[] } {
  const { weights, titles, titled } = judging;
  const places = new Map([...weights.keys()].map((element, at) => [element, at]));
  const placeOf = (element: Element) => places.get(element) ?? 0;
  const title = [...weights.keys()].find((element) => titles.has(element));
  const begin = title === undefined ? Infinity : placeOf(title);
  const leadsIn = (element: Element) =>
    placeOf(element) > begin && placeOf(element) < placeOf(part) && !isAround(element, judging);
  const around: Element[] = [];
  const leading: Element[] = [];
  let inner = part;
  while (inner !== body) {
    const outer = inner.parentNode as Element;
    const stack = childrenOf(outer).filter((node): node is Element => isElement(node) && node !== inner);
    for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
      if (titles.has(element)) continue;
      if (titled.has(element)) append(stack, childrenOf(element).filter(isElement));
      else (leadsIn(element) ? leading : around).push(element);
    }
    inner = outer;
  }
  return { around, leading };
}

function partsOf(top: Element, body: Element, judging: Judging): ReadonlySet<Element> {
  const { around: outside, leading } = beside(top, body, judging);
  const around = new Set(outside);
  const within = new Set<Element>([top, ...leading]);
  for (const part of [top, ...leading])
    for (const element of descendants(part)) {
      // What stands in such a part goes with it.
      if (!within.has(element.parentNode as Element)) continue;
      if (isAround(element, judging)) around.add(element);
      else within.add(element);
    }
  return around;
}

/**
 * The parts of a web page around its text, none within another; none for a page of which little would be left, such as one of links.
 * `name`: its `<title>`, with its words a blank apart.
 */
export function partsAround(body: Element, name: string): ReadonlySet<Element> {
  const weights = weigh(body);
  const whole = weights.get(body);
  if (whole === undefined) return new Set();
  const { letters: all, linked, prose } = whole;
  const top = mainPart(body, weights);
  const titles = titlesOf(top, weights, name);
  const given = {
    weights,
    prose: Math.max(1, prose),
    unlinked: Math.max(1, all - linked),
    titles,
    titled: new Set([...titles].flatMap((title) => [title, ...outerOf(title)])),
    textual: partsWithText(weights),
    hasMain: top !== body,
  };
  for (const byName of [true, false]) {
    const judging = { ...given, byName };
    const around = partsOf(top, body, judging);
    const left = [...around].reduce((sum, element) => sum - (weights.get(element)?.letters ?? 0), all);
    if (left >= MIN_LEFT_LETTERS && left >= MIN_LEFT_SHARE * all) return around;
  }
  return new Set();
}
