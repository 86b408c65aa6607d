import { escapeXml } from '../../write/xml.ts';
import { u16At } from '../hwp/bytes.ts';
import { type Properties, isOn, numberOf, sprms } from './sprms.ts';

/** What properties are read with: the names of fonts, and whether the style of the letters has a look already. */
export interface LooksContext {
  readonly fonts: readonly string[];
  /** By code. */
  readonly hasByStyle: (code: number) => boolean;
}

/** An element with one value, as WordprocessingML has most of its properties. */
export const valued = (name: string, value: string | number): string =>
  `<w:${name} w:val="${typeof value === 'number' ? value : escapeXml(value)}"/>`;

const switches = [
  ['b', sprms.bold],
  ['i', sprms.italic],
  ['strike', sprms.strike],
  ['dstrike', sprms.doubleStrike],
  ['vanish', sprms.hidden],
] as const;
/** As the style has it, and the opposite. */
const [AS_STYLE, UNLIKE_STYLE] = [0x80, 0x81];

/** Whether a switch is on; undefined where the style says so. */
function switched(value: number | undefined, byStyle: boolean): boolean | undefined {
  if (value === undefined || value === AS_STYLE) return undefined;
  return value === UNLIKE_STYLE ? !byStyle : value !== 0;
}

/** What letters look like, as the inside of `w:rPr`. */
export function runLooks(properties: Properties, { fonts, hasByStyle }: LooksContext): string {
  const parts: string[] = [];
  const style = numberOf(properties, sprms.characterStyle);
  if (style !== undefined) parts.push(valued('rStyle', `s${style}`));
  const font = fonts[numberOf(properties, sprms.font) ?? -1];
  if (font !== undefined) parts.push(`<w:rFonts w:ascii="${escapeXml(font)}"/>`);
  for (const [name, code] of switches) {
    const on = switched(numberOf(properties, code), hasByStyle(code));
    if (on !== undefined) parts.push(valued(name, on ? 1 : 0));
  }
  const size = numberOf(properties, sprms.size);
  if (size !== undefined) parts.push(valued('sz', size));
  const script = numberOf(properties, sprms.script);
  if (script !== undefined)
    parts.push(valued('vertAlign', ['baseline', 'superscript', 'subscript'][script] ?? 'baseline'));
  return parts.join('');
}

/** Numbers beyond are lists that a style has and the paragraph has not. */
const LAST_LIST = 0x7fe;

/** What a paragraph looks like, as the inside of `w:pPr`. */
export function paragraphLooks(properties: Properties): string {
  const parts: string[] = [];
  if (properties.has(sprms.pageBreakBefore))
    parts.push(valued('pageBreakBefore', isOn(properties, sprms.pageBreakBefore) ? 1 : 0));
  const list = numberOf(properties, sprms.list);
  const level = numberOf(properties, sprms.listLevel);
  if (list !== undefined || level !== undefined)
    parts.push(
      `<w:numPr>${level === undefined ? '' : valued('ilvl', level)}${list === undefined ? '' : valued('numId', list > LAST_LIST ? 0 : list)}</w:numPr>`,
    );
  const outline = numberOf(properties, sprms.outline);
  if (outline !== undefined) parts.push(valued('outlineLvl', outline));
  return parts.join('');
}

/** A sign of a font by its place in it, as `w:sym`. */
export function symbolOf(operand: Uint8Array, fonts: readonly string[]): string {
  const [font, code] = [fonts[u16At(operand, 0)] ?? '', u16At(operand, 2)];
  return `<w:sym w:font="${escapeXml(font)}" w:char="${code.toString(16).padStart(4, '0')}"/>`;
}
