import { textOf, type Equation, type Span } from '../../document.ts';
import { append } from '../../package/append.ts';
import type { FlowItem, Line } from '../../package/flow-items.ts';
import { joinAlikeSpans } from '../../package/spans.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import { chosenOf, readDrawing } from './drawing.ts';
import { controlField, replaceWithField } from './content-controls.ts';
import { beginField, endField, fieldLink, isShown, separateField, simpleFieldLink } from './fields.ts';
import { readNote } from './notes.ts';
import { fieldSpan } from '../../text/form-fields.ts';
import { latexOf } from '../../package/omml.ts';
import { withDepth, type Story } from './reading.ts';
import { runStyleOf, paragraphStyleOf, type RunStyle, type ParagraphStyle, type Style } from './styles.ts';
import { symbolText } from './symbols.ts';

/** A paragraph while its runs are read. */
interface Building {
  readonly story: Story;
  readonly style: Style;
  readonly shaded: boolean;
  readonly spans: Span[];
  /** What its program does not show. */
  readonly hidden: Span[];
  /** Pictures, boxes and notes; they follow it. */
  readonly after: FlowItem[];
  page: number | null;
  /** Letters by their look, for what the whole of it looks like. */
  letters: number;
  bold: number;
  mono: number;
  readonly sizes: Map<number, number>;
}

function appendSpan(building: Building, text: string, looks: RunStyle, link: string | undefined): void {
  const { story, style } = building;
  if (text === '') return;
  if (!isShown(story)) {
    story.reading.letters.seen(text);
    return;
  }
  story.reading.budget.text(text.length);
  const white = looks.color === 'FFFFFF' && !looks.shaded && !building.shaded && story.isBody && !story.inTable;
  const leads = link ?? fieldLink(story);
  const span: Span = {
    text,
    // What the style makes bold as a whole is not made to stand out.
    ...(looks.bold && !style.looks.bold ? { bold: true } : {}),
    ...(looks.italic && !style.looks.italic ? { italic: true } : {}),
    ...(looks.strike ? { strike: true } : {}),
    ...(looks.mono && !style.looks.mono ? { code: true } : {}),
    ...(looks.script === 'super' || looks.script === 'sub' ? { script: looks.script } : {}),
    ...(leads === undefined ? {} : { link: leads }),
  };
  if (looks.hidden || white) {
    building.hidden.push(span);
    return;
  }
  const letters = text.trim().length;
  if (letters > 0 && story.isBody) {
    story.reading.pages.sawContent();
    building.page ??= story.reading.pages.current();
  }
  building.letters += letters;
  if (looks.bold) building.bold += letters;
  if (looks.mono) building.mono += letters;
  if (looks.size !== undefined) building.sizes.set(looks.size, (building.sizes.get(looks.size) ?? 0) + letters);
  building.spans.push(span);
}

const texts: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:ptab': '\t',
  'w:cr': '\n',
  'w:noBreakHyphen': '-',
};

function readBreak(building: Building, element: XmlElement, looks: RunStyle, link: string | undefined): void {
  const type = attributeOf(element, 'w:type');
  if (type === 'page') {
    if (building.story.isBody && isShown(building.story)) building.story.reading.pages.breakPage();
  } else if (type !== 'column') appendSpan(building, '\n', looks, link);
}

const ownText = ({ children }: XmlElement): string => children.filter((one) => typeof one === 'string').join('');

const noteKinds = {
  'w:footnoteReference': 'footnote',
  'w:endnoteReference': 'endnote',
  'w:commentReference': 'comment',
} as const;

function readRun(building: Building, run: XmlElement, link: string | undefined): void {
  const { story, style } = building;
  const properties = childOf(run, 'w:rPr');
  const character = attributeOf(childOf(properties, 'w:rStyle'), 'w:val');
  const looks: RunStyle = { ...style.looks, ...story.reading.styles.character(character), ...runStyleOf(properties) };
  for (const element of childrenOf(run)) {
    const { name } = element;
    if (name === 'w:t') appendSpan(building, ownText(element), looks, link);
    else if (name in texts) appendSpan(building, texts[name] ?? '', looks, link);
    else if (name === 'w:br') readBreak(building, element, looks, link);
    else if (name === 'w:lastRenderedPageBreak') {
      if (story.isBody) story.reading.pages.sawPage();
    } else if (name === 'w:sym') {
      const code = Number.parseInt(attributeOf(element, 'w:char') ?? '', 16);
      if (code > 0 && code < 0x11_0000)
        appendSpan(building, symbolText(String.fromCodePoint(code), attributeOf(element, 'w:font')), looks, link);
    } else if (name === 'w:fldChar') {
      const type = attributeOf(element, 'w:fldCharType');
      if (type === 'begin')
        beginField(story, element, building.spans, (field) => building.spans.push(fieldSpan(field)));
      else if (type === 'separate') separateField(story);
      else if (type === 'end') endField(story, building.spans);
    } else if (name === 'w:instrText') {
      const field = story.fields.at(-1);
      if (field !== undefined && !field.shown && field.instruction.length < 4096) field.instruction += ownText(element);
    } else if (name in noteKinds) {
      const custom = /^(?:1|true|on)$/.test(attributeOf(element, 'w:customMarkFollows') ?? '');
      const kind = noteKinds[name as keyof typeof noteKinds];
      const note = isShown(story) ? readNote(story, kind, attributeOf(element, 'w:id') ?? '', custom) : null;
      if (note !== null) {
        const script = kind === 'comment' ? {} : { script: 'super' as const };
        building.spans.push({ text: note.marker ?? '', note: note.id, ...script });
        building.after.push(note);
      }
    } else readOther(building, element, link);
  }
}

/** Text within a box that stands in a paragraph. */
const readBox = (content: XmlElement, story: Story): readonly FlowItem[] =>
  withDepth(story.reading, () => story.reading.readBlocks(content, { ...story, fields: [], inTable: true })) ?? [];

/** What may stand in a run as well as beside runs. */
function readOther(building: Building, element: XmlElement, link: string | undefined): void {
  const { name } = element;
  if (name === 'w:drawing' || name === 'w:pict' || name === 'w:object') {
    if (isShown(building.story)) append(building.after, readDrawing(element, building.story, readBox));
  } else if (name === 'mc:AlternateContent') {
    const chosen = chosenOf(element);
    for (const child of childrenOf(chosen)) {
      if (child.name === 'w:t') appendSpan(building, ownText(child), building.style.looks, link);
      else readInline(building, child, link);
    }
  } else if (name === 'w:ruby') {
    for (const child of childrenOf(childOf(element, 'w:rubyBase'))) readInline(building, child, link);
  }
}

function readHyperlink(building: Building, element: XmlElement): void {
  const id = attributeOf(element, 'r:id');
  const anchor = attributeOf(element, 'w:anchor');
  const target = id === undefined ? undefined : building.story.relations.get(id)?.target;
  const place = anchor === undefined ? '' : `#${anchor}`;
  const link = `${target ?? ''}${place}`;
  for (const child of childrenOf(element)) readInline(building, child, link === '' ? undefined : link);
}

/** Elements that only hold others. */
const wrappers = new Set(['w:ins', 'w:moveTo', 'w:smartTag', 'w:customXml', 'w:dir', 'w:bdo', 'w:sdtContent']);

function readInline(building: Building, element: XmlElement, link: string | undefined): void {
  const { name } = element;
  if (name === 'w:r') readRun(building, element, link);
  else if (wrappers.has(name)) for (const child of childrenOf(element)) readInline(building, child, link);
  else if (name === 'w:sdt') {
    const from = building.spans.length;
    for (const child of childrenOf(childOf(element, 'w:sdtContent'))) readInline(building, child, link);
    const field = isShown(building.story) ? controlField(element) : null;
    if (field !== null) building.story.reading.letters.seen(replaceWithField(building.spans, from, field));
  } else if (name === 'w:hyperlink') readHyperlink(building, element);
  else if (name === 'w:fldSimple') {
    const leads = simpleFieldLink(attributeOf(element, 'w:instr') ?? '') ?? link;
    for (const child of childrenOf(element)) readInline(building, child, leads);
  } else if (name === 'm:oMath') {
    const latex = latexOf(element);
    building.story.reading.budget.text(latex.length);
    if (latex !== '') building.spans.push({ text: latex, math: true });
  } else if (name === 'm:oMathPara') readEquations(building, element);
  else readOther(building, element, link);
}

function readEquations(building: Building, element: XmlElement): void {
  const { story } = building;
  for (const formula of childrenOf(element, 'm:oMath')) {
    const latex = latexOf(formula);
    story.reading.budget.text(latex.length);
    const page = story.isBody ? story.reading.pages.current() : null;
    const equation: Equation = { type: 'equation', page, source: story.part, latex };
    if (latex !== '') building.after.push(equation);
  }
}

const codeStyle = /^(?:source ?code|code|code ?block|html preformatted|macro text|preformatted(?: text)?)$/;
const codeSigns = /[{}()[\];=<>]|^\s{2,}\S/m;

const roles: Readonly<Record<string, NonNullable<Line['role']>>> = {
  title: 'title',
  subtitle: 'subtitle',
  quote: 'quote',
  'intense quote': 'quote',
};

function roleOf({ name }: Style, inContents: boolean): Line['role'] {
  if (inContents || /^toc (?:\d|heading)/.test(name) || name === 'table of figures') return 'contents';
  return roles[name];
}

/** Size that most of its letters have. */
function sizeOf({ sizes }: Building): number | undefined {
  let best: number | undefined;
  for (const [size, count] of sizes) if (best === undefined || count > (sizes.get(best) ?? 0)) best = size;
  return best;
}

function lineOf(building: Building, looks: ParagraphStyle, page: number | null): Line {
  const { story, style } = building;
  const { numbering } = story.reading;
  const inContents = story.inContents || story.fields.some(({ instruction }) => /^\s*TOC\b/.test(instruction));
  const role = roleOf(style, inContents);
  const list = looks.numbering === undefined || looks.numbering === '0' ? undefined : looks.numbering;
  const hasText = building.spans.length > 0;
  const mark = list === undefined ? null : numbering.next(list, looks.level ?? numbering.levelOf(list, style.id));
  const size = sizeOf(building);
  const mono = building.letters > 0 && building.mono === building.letters;
  // A typeface that the whole of it has makes none of its words stand out.
  const spans = joinAlikeSpans(mono ? building.spans.map(({ code: _, ...span }) => span) : building.spans);
  const text = textOf(spans);
  const code = codeStyle.test(style.name) || (mono && codeSigns.test(text));
  return {
    type: 'line',
    spans,
    page: building.page ?? page,
    source: story.part,
    ...(looks.outline === undefined || looks.outline > 8 || !hasText ? {} : { level: looks.outline + 1 }),
    ...(mark === null ? {} : { mark }),
    ...(role === undefined ? {} : { role }),
    ...(style.name === 'caption' ? { caption: true } : {}),
    ...(code && mark === null ? { code } : {}),
    ...(size === undefined ? {} : { size }),
    ...(building.letters > 0 && building.bold === building.letters ? { bold: true } : {}),
  };
}

/** A paragraph whose end was deleted goes on in the next one. */
const endIsDeleted = (properties: XmlElement | undefined): boolean => {
  const mark = childOf(properties, 'w:rPr');
  return childOf(mark, 'w:del') !== undefined || childOf(mark, 'w:moveFrom') !== undefined;
};

/** Reads `w:p`: its line and what hangs on it. `before` is text of paragraphs that go on in this one. */
export function readParagraph(
  element: XmlElement,
  story: Story,
  before: readonly Span[],
): { readonly items: readonly FlowItem[]; readonly goesOn: readonly Span[] } {
  const { reading } = story;
  const properties = childOf(element, 'w:pPr');
  const style = reading.styles.paragraph(attributeOf(childOf(properties, 'w:pStyle'), 'w:val'));
  const looks = { ...style.paragraph, ...paragraphStyleOf(properties) };
  if (story.isBody && looks.pageBreakBefore) reading.pages.beginPage();
  const page = story.isBody ? reading.pages.current() : null;
  const building: Building = {
    story,
    style,
    shaded: looks.shaded ?? false,
    spans: [...before],
    hidden: [],
    after: [],
    page: null,
    letters: 0,
    bold: 0,
    mono: 0,
    sizes: new Map(),
  };
  for (const child of childrenOf(element)) if (child.name !== 'w:pPr') readInline(building, child, undefined);
  if (endIsDeleted(properties)) return { items: building.after, goesOn: building.spans };
  const items: FlowItem[] = [];
  // One without text falls away later; its number counts all the same, as Word shows it.
  items.push(lineOf(building, looks, page));
  if (building.hidden.length > 0) {
    const spans = joinAlikeSpans(building.hidden);
    items.push({ type: 'line', spans, page: building.page ?? page, source: story.part, hidden: true });
  }
  append(items, building.after);
  return { items, goesOn: [] };
}
