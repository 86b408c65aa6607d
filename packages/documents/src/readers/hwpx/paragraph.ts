import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';
import type { CharShape } from '../hwp/doc-info.ts';
import { createParagraphBuilder, type ParagraphBuilder } from '../hwp/paragraph-builder.ts';
import { plainShape } from '../hwp/paragraph-items.ts';
import { type Item, type NoteShape, pageOf, type Place } from '../hwp/session.ts';
import { connectedShapes } from './connections.ts';
import { readControl, readMemo } from './controls.ts';
import { integerOf, numberKind } from './header.ts';
import { definePage, linesOf } from './lines.ts';
import type { Session } from './session.ts';

/** Addresses that a reader may follow; scripts and places within the document are none. */
const address = /^(?:https?|ftp|mailto|tel):/i;
const MAX_FIELDS = 64;

/** Where a field leads to; null for a field that is no link or leads into the document itself. */
function linkOf(field: XmlElement): string | null {
  if (attributeOf(field, 'type') !== 'HYPERLINK') return null;
  const parameter = (name: string): string => {
    for (const value of childrenOf(childOf(field, 'hp:parameters'), 'hp:stringParam'))
      if (attributeOf(value, 'name') === name) return innerText(value);
    return '';
  };
  const command = /^(?:\\.|[^;\\])*/su.exec(parameter('Command'))?.[0] ?? '';
  const target = (parameter('Path') || command.replaceAll(/\\(.)/gsu, '$1')).trim();
  return address.test(target) ? target : null;
}

const noteShapeOf = (element: XmlElement): NoteShape => {
  const format = childOf(element, 'hp:autoNumFormat');
  return {
    kind: numberKind(attributeOf(format, 'type')),
    before: attributeOf(format, 'prefixChar') ?? '',
    after: attributeOf(format, 'suffixChar') ?? '',
  };
};

/** Takes over what the definition of a section says about what follows. */
function applySection(element: XmlElement, session: Session): void {
  session.outline = integerOf(element, 'outlineShapeIDRef', 1);
  const paper = childOf(element, 'hp:pagePr');
  if (paper !== undefined) definePage(session.tracker, paper);
  const footnote = childOf(element, 'hp:footNotePr');
  const endnote = childOf(element, 'hp:endNotePr');
  if (footnote !== undefined) session.noteShapes.footnote = noteShapeOf(footnote);
  if (endnote !== undefined) session.noteShapes.endnote = noteShapeOf(endnote);
}

/** What stands first counts for the place of the paragraph: the paper and the columns that begin with it. */
function applyDefinitions(paragraph: XmlElement, session: Session): void {
  for (const run of childrenOf(paragraph, 'hp:run')) {
    for (const child of childrenOf(run)) {
      if (child.name === 'hp:secPr') applySection(child, session);
      const columns = child.name === 'hp:ctrl' ? childOf(child, 'hp:colPr') : undefined;
      if (columns === undefined) continue;
      const isEven = attributeOf(columns, 'sameSz') === '1' && attributeOf(columns, 'layout') !== 'RIGHT';
      session.tracker.columns({
        count: integerOf(columns, 'colCount', 1),
        gap: isEven ? integerOf(columns, 'sameGap') : null,
      });
    }
  }
}

/** Signs of a text that are elements of their own. */
const signs: Readonly<Record<string, string>> = {
  'hp:lineBreak': '\n',
  'hp:tab': '\t',
  'hp:nbSpace': '\u00a0',
  'hp:fwSpace': ' ',
  'hp:hyphen': '-',
};

/** A paragraph while its runs are read. */
interface Building {
  readonly session: Session;
  readonly place: Place;
  readonly builder: ParagraphBuilder;
  /** In a range that was deleted while changes were tracked. */
  deleted: boolean;
}

/** Line ends of the file's own are no text; those between words come from programs that write none of their own. */
const withoutFileLines = (text: string): string =>
  text.replaceAll(/\s+/g, (blank, at: number) => {
    if (!/[\r\n]/.test(blank)) return blank;
    if (at === 0 || at + blank.length === text.length) return '';
    return blank.includes('\n') ? '\n' : blank;
  });

function readText(building: Building, element: XmlElement, shape: CharShape | undefined): void {
  const { session, place, builder } = building;
  const add = (text: string): void => {
    if (building.deleted || text === '') return;
    session.budget.text(text.length);
    builder.text.text(text, shape, place.fields.findLast((field) => field.link !== null)?.link ?? null);
  };
  for (const node of element.children) {
    if (typeof node === 'string') {
      session.letters.seen(node);
      add(withoutFileLines(node));
    } else if (node.name === 'hp:deleteBegin') building.deleted = true;
    else if (node.name === 'hp:deleteEnd') building.deleted = false;
    else if (node.name in signs) add(signs[node.name] ?? '');
  }
}

function readRun(building: Building, run: XmlElement): void {
  const { session, place } = building;
  const shape = session.info.charShapes[integerOf(run, 'charPrIDRef')];
  const control = (element: XmlElement): void => {
    if (element.name === 'hp:fieldEnd') place.fields.pop();
    else if (element.name === 'hp:fieldBegin') {
      if (place.fields.length < MAX_FIELDS) place.fields.push({ link: linkOf(element) });
      if (!building.deleted) building.builder.put(readMemo(element, session, place));
    } else if (!building.deleted) building.builder.put(readControl(element, session, place));
  };
  for (const child of childrenOf(run)) {
    if (child.name === 'hp:t') readText(building, child, shape);
    else if (child.name === 'hp:ctrl') for (const inner of childrenOf(child)) control(inner);
    else if (child.name === 'hp:switch') {
      const chosen = childOf(child, 'hp:case') ?? childOf(child, 'hp:default');
      for (const inner of childrenOf(chosen)) control(inner);
    } else control(child);
  }
}

const hasText = (paragraph: XmlElement): boolean => {
  for (const run of childrenOf(paragraph, 'hp:run'))
    for (const text of childrenOf(run, 'hp:t')) if (innerText(text).trim() !== '') return true;
  return false;
};

/** Reads one paragraph: its text, cut where a table stands in the middle of it, and what is anchored in it. */
export function readItems(paragraph: XmlElement, session: Session, place: Place): Item[] {
  const { info } = session;
  const style = info.styles[integerOf(paragraph, 'styleIDRef')];
  const shape = info.paraShapes[integerOf(paragraph, 'paraPrIDRef', style?.paraShape ?? 0)] ?? plainShape;
  const lines = place.kind === 'body' ? linesOf(paragraph) : [];
  if (place.kind === 'body') {
    applyDefinitions(paragraph, session);
    const page = attributeOf(paragraph, 'pageBreak') === '1' || shape.breakBefore;
    session.tracker.paragraph(lines, { page, column: attributeOf(paragraph, 'columnBreak') === '1' });
  }
  const builder = createParagraphBuilder(session, place, { shape, style, inText: hasText(paragraph) });
  const building: Building = { session, place, builder, deleted: false };
  for (const run of childrenOf(paragraph, 'hp:run')) readRun(building, run);
  const page = pageOf(session, place);
  const lists = connectedShapes(paragraph).map((items): Item => ({
    kind: 'block',
    block: { type: 'list', page, items },
  }));
  return [...builder.items(place.kind === 'body' ? lines[0]?.top : undefined), ...lists];
}
