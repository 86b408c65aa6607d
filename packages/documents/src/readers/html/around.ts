import { append } from '../../package/append.ts';
import {
  type Element,
  attribute,
  childrenOf,
  descendants,
  isElement,
  isText,
  skippedTags,
  textContent,
} from './tree.ts';

// What stands around the text of a web page: menus, what else there is to read, comments, forms, legal lines. Told by what pages say of
// their parts (HTML, ARIA), by what their authors call them, and by how much of a part is links.

/** Parts that are never the text of a page. Sources: HTML, 4.3; WAI-ARIA 1.2, 5.3. */
const asideTags = new Set(['aside', 'footer', 'nav']);
const asideRoles = new Set(
  'complementary contentinfo navigation banner search dialog alertdialog menu menubar toolbar'.split(' '),
);
/** What authors call such parts (`class`, `id`), in English, German and as sites of Korea do. */
const asideNames = new Set(
  [
    'nav navbar navigation menu submenu subnav topnav sidenav sidemenu footnav sitemap toolbar breadcrumb breadcrumbs pagination pager',
    'sidebar widgets footer masthead colophon copyright skiplinks skipnav screenreader quicklinks',
    'comments commentlist commentform respond disqus kommentar kommentare related relatedposts recommended recommendations popular trending mostread',
    'share sharing sharebar sharedaddy addtoany social socials outbrain taboola tags taglist tagcloud authorbox authorbio',
    'subscribe subscription newsletter signup login search searchform cookie cookies consent promo promos advert adverts advertisement',
    'gnb lnb snb fnb tnb navi quick quickmenu familysite skip skiplist skipmenu skipnavi sknavi',
  ].flatMap((line) => line.split(' ')),
);
/** The same as WordPress has them; other programs call all parts of a page widgets. */
const asideClasses = /(?:^|\s)(?:widget_\w|widget-area)/;
const namedTags = new Set('div section ul ol p header table dl form'.split(' '));
const listTags = new Set('ul ol div section table p'.split(' '));
const proseTags = new Set('p pre blockquote td dd li h1 h2 h3 h4 h5 h6'.split(' '));

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
/** Where less is left, nothing is told apart: a page of links, or one that calls its parts otherwise. */
const MIN_LEFT_LETTERS = 100;
const MIN_LEFT_SHARE = 0.05;

/** How much an element holds; letters are all but blanks. */
interface Weight {
  letters: number;
  /** In links. */
  linked: number;
  /** In sentences: paragraphs, items and cells, without links. */
  prose: number;
  links: number;
  /** Whether its title stands there: an `h1` that is more than a link, as the name of a site is one. */
  hasTitle: boolean;
}

type Weights = ReadonlyMap<Element, Weight>;

const isSkipped = ({ tagName }: Element): boolean =>
  skippedTags.has(tagName) || tagName === 'button' || tagName === 'select';

/** Weights of the elements of a page that hold text. Without recursion. */
function weigh(body: Element): Weights {
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
      prose: inProse && !inLink ? letters : 0,
      links: element.tagName === 'a' ? 1 : 0,
      hasTitle: false,
    });
  }
  // What stands in an element comes before it so.
  for (const [element, weight] of [...weights].toReversed()) {
    weight.hasTitle ||= element.tagName === 'h1' && weight.letters > weight.linked;
    const outer = weights.get(element.parentNode as Element);
    if (outer === undefined) continue;
    outer.letters += weight.letters;
    outer.linked += weight.linked;
    outer.prose += weight.prose;
    outer.links += weight.links;
    outer.hasTitle ||= weight.hasTitle;
  }
  return weights;
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
  const [article, other] = all
    .filter(([element]) => element.tagName === 'article' && !isWithinArticle(element))
    .toSorted(([, one], [, two]) => two.letters - one.letters);
  // Several of a size are the text together.
  if (other !== undefined && article !== undefined && other[1].prose > MIN_OTHER_SHARE * article[1].prose) return top;
  return article !== undefined &&
    article[1].letters > MIN_MAIN_LETTERS &&
    article[1].prose > MIN_ARTICLE_SHARE * (weight?.prose ?? 0)
    ? article[0]
    : top;
}

function isWithinArticle(element: Element): boolean {
  for (let outer = element.parentNode; outer !== null && 'tagName' in outer; outer = outer.parentNode)
    if (outer.tagName === 'article') return true;
  return false;
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
  readonly hasTitle: boolean;
  /** Parts with sentences of their own. */
  readonly textual: ReadonlySet<Element>;
  /** Whether the page names the part that holds its text. */
  readonly hasMain: boolean;
  readonly byName: boolean;
}

function isAround(
  element: Element,
  { weights, prose, unlinked, textual, hasTitle, hasMain, byName }: Judging,
): boolean {
  const weight = weights.get(element);
  if (weight === undefined) return false;
  const share = Math.max(weight.prose / prose, (weight.letters - weight.linked) / unlinked);
  if (share > MAX_ASIDE_SHARE) return false;
  const { tagName } = element;
  if (asideTags.has(tagName) || asideRoles.has(attribute(element, 'role') ?? '') || isSkipLink(element)) return true;
  if (weight.hasTitle) return false;
  // The sign of a site, where the page has a title.
  if (tagName === 'h1') return weight.letters === 0 && hasTitle;
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

/** All that stands beside the part that holds the text, but for its title and what leads in behind that. */
function beside(part: Element, body: Element, judging: Judging): Element[] {
  const { weights } = judging;
  const places = new Map([...weights.keys()].map((element, at) => [element, at]));
  const placeOf = (element: Element) => places.get(element) ?? 0;
  const [title] = [...weights].find(([{ tagName }, { hasTitle }]) => tagName === 'h1' && hasTitle) ?? [];
  const begin = title === undefined ? Infinity : placeOf(title);
  const leadsIn = (element: Element) =>
    placeOf(element) > begin && placeOf(element) < placeOf(part) && !isAround(element, judging);
  const found: Element[] = [];
  let inner = part;
  while (inner !== body) {
    const outer = inner.parentNode as Element;
    const stack = childrenOf(outer).filter((node): node is Element => isElement(node) && node !== inner);
    for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
      const hasTitle = weights.get(element)?.hasTitle === true;
      if (element.tagName === 'h1' && hasTitle) continue;
      if (hasTitle) append(stack, childrenOf(element).filter(isElement));
      else if (!leadsIn(element)) found.push(element);
    }
    inner = outer;
  }
  return found;
}

function partsOf(top: Element, body: Element, judging: Judging): ReadonlySet<Element> {
  const around = new Set(beside(top, body, judging));
  const within = new Set<Element>([top]);
  for (const element of descendants(top)) {
    // What stands in such a part goes with it.
    if (!within.has(element.parentNode as Element)) continue;
    if (isAround(element, judging)) around.add(element);
    else within.add(element);
  }
  return around;
}

/**
 * The parts of a web page around its text, none within another; none for a page of which little would be left, such as one of links.
 */
export function partsAround(body: Element): ReadonlySet<Element> {
  const weights = weigh(body);
  const whole = weights.get(body);
  if (whole === undefined) return new Set();
  const { letters: all, linked, prose, hasTitle } = whole;
  const top = mainPart(body, weights);
  const given = {
    weights,
    prose: Math.max(1, prose),
    unlinked: Math.max(1, all - linked),
    hasTitle,
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
