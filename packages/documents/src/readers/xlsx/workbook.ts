import type { Span } from '../../document.ts';
import type { OfficePackage } from '../../package/office.ts';
import { type XmlElement, attributeOf, childOf, childrenOf, innerText } from '../../package/xml.ts';
import type { Budget } from '../budget.ts';
import { type NumberKind, kindOf } from './formats.ts';
import { type Area, cellArea } from './cell-references.ts';
import type { HeldText } from './held.ts';

/** A sheet as the workbook lists it. */
export interface SheetEntry {
  readonly name: string;
  readonly part: string;
  readonly hidden: boolean;
}

/** The parts that all sheets share. */
export interface Workbook {
  readonly sheets: readonly SheetEntry[];
  /** The sheet that is open, from 0, and what a document that the workbook lies in shows of it; all of it where no place is named. */
  readonly shown: { readonly sheet: number; readonly area: Area | null };
  readonly strings: readonly (readonly Span[])[];
  /** By the style of a cell. */
  readonly kinds: readonly NumberKind[];
  readonly from1904: boolean;
  /** Names of those who talk in comments, by their id. */
  readonly people: ReadonlyMap<string, string>;
  /** Counts what the file holds. */
  readonly held: HeldText;
}

/** Text of a string with its looks; the reading aids of East Asian words are left out. */
export function richText(item: XmlElement | undefined): Span[] {
  const spans: Span[] = [];
  for (const child of childrenOf(item)) {
    if (child.name === 's:t') spans.push({ text: innerText(child) });
    if (child.name !== 's:r') continue;
    const looks = childOf(child, 's:rPr');
    const is = (name: string) => {
      const element = childOf(looks, name);
      return element !== undefined && !['0', 'false'].includes(attributeOf(element, 'val') ?? '1');
    };
    const script = attributeOf(childOf(looks, 's:vertAlign'), 'val');
    spans.push({
      text: innerText(childOf(child, 's:t')),
      ...(is('s:b') ? { bold: true } : {}),
      ...(is('s:i') ? { italic: true } : {}),
      ...(is('s:strike') ? { strike: true } : {}),
      ...(script === 'superscript' ? { script: 'super' as const } : {}),
      ...(script === 'subscript' ? { script: 'sub' as const } : {}),
    });
  }
  return spans.filter(({ text }) => text !== '').map((span) => ({ ...span, text: unescaped(span.text) }));
}

/** Control characters are written `_x000D_`. Source: ECMA-376 part 1, 22.4.2.4. */
const unescaped = (text: string) =>
  text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_whole, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code === 13 ? '' : String.fromCharCode(code);
  });

async function stringsOf(
  office: OfficePackage,
  part: string | undefined,
  budget: Budget,
  held: HeldText,
): Promise<(readonly Span[])[]> {
  const strings: (readonly Span[])[] = [];
  const content = part === undefined ? null : await office.pack.read(part);
  if (part === undefined || content === null) return strings;
  held.strings(content);
  office.stream(part, content, 's:sst', (item) => {
    const spans = richText(item);
    budget.text(spans.reduce((sum, { text }) => sum + text.length, 0));
    strings.push(spans);
  });
  return strings;
}

async function kindsOf(office: OfficePackage, part: string | undefined): Promise<NumberKind[]> {
  const root = part === undefined ? null : await office.tree(part);
  const custom = new Map<number, string>();
  for (const format of childrenOf(childOf(root ?? undefined, 's:numFmts')))
    custom.set(Number(attributeOf(format, 'numFmtId')), attributeOf(format, 'formatCode') ?? '');
  return [...childrenOf(childOf(root ?? undefined, 's:cellXfs'), 's:xf')].map((xf) =>
    kindOf(Number(attributeOf(xf, 'numFmtId') ?? 0), custom),
  );
}

async function peopleOf(office: OfficePackage, part: string | undefined): Promise<Map<string, string>> {
  const root = part === undefined ? null : await office.tree(part);
  return new Map(
    [...childrenOf(root ?? undefined, 'tc:person')].map((person) => [
      attributeOf(person, 'id') ?? '',
      attributeOf(person, 'displayName') ?? '',
    ]),
  );
}

/** Reads what stands beside the sheets. */
export async function readWorkbook(office: OfficePackage, budget: Budget, held: HeldText): Promise<Workbook> {
  const main = (await office.main()) ?? 'xl/workbook.xml';
  const root = (await office.tree(main)) ?? undefined;
  const relations = await office.relations(main);
  const of = (kind: string) => [...relations.values()].find((one) => one.kind === kind)?.target;
  const entries = [...childrenOf(childOf(root, 's:sheets'), 's:sheet')].map((sheet): SheetEntry | null => {
    const relation = relations.get(attributeOf(sheet, 'r:id') ?? '');
    if (relation === undefined || relation.external) return null;
    const state = attributeOf(sheet, 'state') ?? 'visible';
    return { name: attributeOf(sheet, 'name') ?? '', part: relation.target, hidden: state !== 'visible' };
  });
  const sheets = entries.filter((entry) => entry !== null);
  const view = childOf(childOf(root, 's:bookViews'), 's:workbookView');
  const open = entries[Math.trunc(Number(attributeOf(view, 'activeTab') ?? 0))];
  return {
    sheets,
    shown: {
      sheet: open == null ? 0 : sheets.indexOf(open),
      area: cellArea(attributeOf(childOf(root, 's:oleSize'), 'ref')),
    },
    strings: await stringsOf(office, of('sharedStrings'), budget, held),
    held,
    kinds: await kindsOf(office, of('styles')),
    people: await peopleOf(office, of('person')),
    from1904: ['1', 'true'].includes(attributeOf(childOf(root, 's:workbookPr'), 'date1904') ?? '0'),
  };
}
