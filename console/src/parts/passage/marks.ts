import type { Nodes, PhrasingContent, Root, RootContent } from 'mdast';

/** A place in a text, in UTF-16 units; the end is not included. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
  /** Whether it is the part of a larger passage that was found: drawn weaker than words are. */
  readonly found?: boolean;
}

/** Names of elements in the tree, by which marked words and code with marked words are drawn. */
const MARK = 'mark';
/** Class of the marks around what was found. */
export const FOUND = 'found';

const ENTITY = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|\w{1,31});/i;

/**
 * Where each unit of a text of the tree stands in the source. What the source has besides (backslashes before signs, blanks and
 * quotation marks at the beginning of lines) is passed over. Shorter than the text where the source ends early.
 */
export function sourcePlaces(source: string, { start, end }: TextSpan, value: string): readonly number[] {
  const places: number[] = [];
  let at = start;
  while (places.length < value.length && at < end) {
    const wanted = value[places.length];
    const escaped = source[at] === '\\' && source[at + 1] === wanted && /[!-/:-@[-`{-~]/.test(wanted ?? '');
    if (escaped) at += 1;
    else if (source[at] === '&') {
      const [entity] = ENTITY.exec(source.slice(at, at + 40)) ?? [];
      if (entity !== undefined && !value.startsWith(entity, places.length)) {
        places.push(at);
        at += entity.length;
        continue;
      }
    }
    if (source[at] === wanted) places.push(at);
    at += 1;
  }
  return places;
}

type MarkKind = 'word' | typeof FOUND;

function markAt(place: number | undefined, spans: readonly TextSpan[]): MarkKind | null {
  const span = place === undefined ? undefined : spans.find(({ start, end }) => place >= start && place < end);
  return span === undefined ? null : span.found === true ? FOUND : 'word';
}

const marked = (value: string, kind: MarkKind): PhrasingContent => ({
  type: 'emphasis',
  data: { hName: MARK, ...(kind === FOUND ? { hProperties: { className: [FOUND] } } : {}) },
  children: [{ type: 'text', value }],
});

/** The pieces of a text: what is marked, and what stands between. Null where nothing is marked. */
function pieces(value: string, places: readonly number[], spans: readonly TextSpan[]): PhrasingContent[] | null {
  const parts: PhrasingContent[] = [];
  let from = 0;
  let on: MarkKind | null = null;
  const close = (to: number) => {
    const text = value.slice(from, to);
    if (text !== '') parts.push(on === null ? { type: 'text', value: text } : marked(text, on));
    from = to;
  };
  for (let at = 0; at < value.length; at += 1) {
    const now = markAt(places[at], spans);
    if (now !== on) close(at);
    on = now;
  }
  close(value.length);
  return parts.length > 1 || on !== null ? parts : null;
}

/** The element that code is drawn in, with marks in it. */
const codeElement = (kind: 'code' | 'inlineCode', children: PhrasingContent[]): RootContent =>
  kind === 'code'
    ? { type: 'paragraph', data: { hName: 'pre' }, children }
    : { type: 'emphasis', data: { hName: 'code' }, children };

function markNode(node: Nodes, source: string, spans: readonly TextSpan[]): void {
  if (!('children' in node)) return;
  const children = node.children as RootContent[];
  for (let at = 0; at < children.length; at += 1) {
    const child = children[at];
    const [start, end] = [child?.position?.start.offset, child?.position?.end.offset];
    if (child === undefined || start === undefined || end === undefined) continue;
    const own = spans.filter((span) => span.start < end && span.end > start);
    if (own.length === 0) continue;
    if (child.type === 'text' || child.type === 'code' || child.type === 'inlineCode') {
      // Code begins behind its fence.
      const begin = child.type === 'text' ? start : Math.max(start, source.indexOf(child.value, start));
      const parts = pieces(child.value, sourcePlaces(source, { start: begin, end }, child.value), own);
      if (parts === null) continue;
      children.splice(at, 1, ...(child.type === 'text' ? parts : [codeElement(child.type, parts)]));
      if (child.type === 'text') at += parts.length - 1;
    } else markNode(child, source, own);
  }
}

/** Marks places of the source in what is drawn of it. */
export const markSpans =
  ({ source, spans }: { readonly source: string; readonly spans: readonly TextSpan[] }) =>
  (tree: Root) =>
    markNode(tree, source, spans);

/** Never written in a text (Unicode noncharacters): they enclose what is marked in HTML until it is drawn. */
const OPEN = '\uFDD0';
const CLOSE = '\uFDD1';
const OPEN_FOUND = '\uFDD2';

/** Whether a place stands within a tag. */
const isInTag = (html: string, at: number) => html.lastIndexOf('<', at) > html.lastIndexOf('>', at);

/** Where a tag ends that a place stands in. */
function tagEnd(html: string, at: number): number {
  const close = html.indexOf('>', at);
  return close === -1 ? html.length : close + 1;
}

/** The texts between the tags of a part, without those that are blank. */
function textsIn(html: string, { start, end }: TextSpan): readonly TextSpan[] {
  const texts: TextSpan[] = [];
  for (let from = isInTag(html, start) ? tagEnd(html, start) : start; from < end;) {
    const tag = html.indexOf('<', from);
    const to = tag === -1 ? end : Math.min(tag, end);
    if (html.slice(from, to).trim() !== '') texts.push({ start: from, end: to, found: true });
    from = tag === -1 ? end : tagEnd(html, tag);
  }
  return texts;
}

/** HTML with signs around what is marked of its text; words within tags are left out. */
export function enclosedMarks(html: string, spans: readonly TextSpan[]): string {
  const plain = html.replaceAll(/[\uFDD0-\uFDD2]/g, ' ');
  let marked = '';
  let from = 0;
  for (const span of spans.flatMap((one) => (one.found === true ? textsIn(plain, one) : [one]))) {
    const { start, end } = span;
    if (start < from || end > plain.length || isInTag(plain, start) || /[<>]/.test(plain.slice(start, end))) continue;
    marked += `${plain.slice(from, start)}${span.found === true ? OPEN_FOUND : OPEN}${plain.slice(start, end)}${CLOSE}`;
    from = end;
  }
  return marked + plain.slice(from);
}

/** A piece of a text in HTML, and how it is marked. */
interface Piece {
  readonly text: string;
  readonly mark: MarkKind | null;
}

/** The pieces of a text that {@link enclosedMarks} has gone over. */
export const enclosedPieces = (text: string): readonly Piece[] =>
  text
    .split(/([\uFDD0\uFDD2][^\uFDD1]*\uFDD1?)/)
    .filter((part) => part !== '')
    .map((part) => ({
      text: part.replaceAll(/[\uFDD0-\uFDD2]/g, ''),
      mark: part.startsWith(OPEN) ? 'word' : part.startsWith(OPEN_FOUND) ? FOUND : null,
    }));
