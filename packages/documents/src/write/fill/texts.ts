import type { Element, Text } from '@xmldom/xmldom';
import { ParseError } from '../../parse-error.ts';
import { filled, placesOf } from './marks.ts';
import type { Lookup } from './data.ts';
import { child, isElement, setAttribute, sibling, textsOf } from './tree.ts';

/** Fields of one paragraph: each is put in with all that stands after it. */
const MAX_PLACES = 10_000;

/** Puts a text in the place of one, its lines apart as the format has them. */
function writeText(text: Text, value: string, lookup: Lookup): void {
  const holder = text.parentNode;
  if (!isElement(holder)) return;
  const [first = '', ...lines] = value.replaceAll(/\r\n?/g, '\n').split('\n');
  lookup.made(lines.length * 2);
  text.data = first;
  const { ownerDocument: document } = text;
  const isWord = /wordprocessingml/.test(holder.namespaceURI ?? '');
  if (isWord) setAttribute(holder, 'xml:space', 'preserve');
  if (document === null || lines.length === 0) return;
  // Put in at once: each addition in the middle costs as much as there is behind.
  const made = document.createDocumentFragment();
  for (const line of lines) {
    made.appendChild(sibling(holder, isWord ? 'br' : 'lineBreak'));
    const next = isWord ? made.appendChild(sibling(holder, 't')) : made;
    if (isElement(next)) next.setAttribute('xml:space', 'preserve');
    next.appendChild(document.createTextNode(line));
  }
  const last = isWord ? holder : text;
  last.parentNode?.insertBefore(made, last.nextSibling);
}

/** Lines as they were laid out are wrong once the text is another: Hancom Office lays them out anew where they are not there. */
export function forgetLines(paragraph: Element): void {
  const lines = child(paragraph, 'linesegarray');
  if (lines !== undefined) paragraph.removeChild(lines);
}

/**
 * Fills the places of a paragraph. One that begins in a run and ends in another has the looks of the first: programs cut words into runs as
 * they were typed. Null: nothing is filled in, `lookup` is not asked.
 */
export function fillParagraph(paragraph: Element, lookup: Lookup): void {
  const texts = textsOf(paragraph);
  const whole = texts.map(({ data }) => data).join('');
  const places = placesOf(whole);
  if (places.length === 0) return;
  if (places.length > MAX_PLACES)
    throw new ParseError('TOO_LARGE', `A paragraph of a template may have ${MAX_PLACES} fields at most.`);
  const starts: number[] = [];
  let at = 0;
  for (const { data } of texts) {
    starts.push(at);
    at += data.length;
  }
  const startOf = (index: number): number => starts[index] ?? 0;
  // From the last to the first, so that what stands before keeps its place.
  let last = texts.length - 1;
  for (const place of places.toReversed()) {
    while (last > 0 && startOf(last) >= place.to) last--;
    let first = last;
    while (first > 0 && startOf(first) > place.from) first--;
    for (; last > first; last--) {
      const text = texts[last];
      if (text !== undefined) text.data = text.data.slice(Math.min(text.data.length, place.to - startOf(last)));
    }
    const [text, start] = [texts[first], startOf(first)];
    if (text === undefined) continue;
    const end = Math.min(text.data.length, place.to - start);
    writeText(text, text.data.slice(0, place.from - start) + filled(place, lookup) + text.data.slice(end), lookup);
  }
  forgetLines(paragraph);
}

/** The words of an element, for what fields they have. */
export const paragraphText = (paragraph: Element): string =>
  textsOf(paragraph)
    .map(({ data }) => data)
    .join('');
/** Puts a text in the place of all letters of some runs: in that of the first. False where there are none. */
export function replaceTexts(texts: readonly Text[], value: string, lookup: Lookup): boolean {
  const [first, ...rest] = texts;
  if (first === undefined) return false;
  for (const one of rest) one.data = '';
  writeText(first, value, lookup);
  return true;
}
