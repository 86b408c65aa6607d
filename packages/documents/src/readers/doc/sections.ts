import { u16At } from '../hwp/bytes.ts';
import { numberOf, readProperties, sprms } from './sprms.ts';

const kinds = ['continuous', 'nextColumn', 'nextPage', 'evenPage', 'oddPage'] as const;
const NO_PROPERTIES = 0xffffffff;

/** How a section begins and how large its pages are, as the inside of `w:sectPr`. `place`: where its properties stand. */
export function sectionLooks(main: Uint8Array, place: number): string {
  if (place === NO_PROPERTIES || place + 2 > main.length) return '';
  const properties = readProperties(main.subarray(place + 2, place + 2 + u16At(main, place)));
  const kind = kinds[numberOf(properties, sprms.sectionKind) ?? 2] ?? 'nextPage';
  const [width, height] = [numberOf(properties, sprms.pageWidth), numberOf(properties, sprms.pageHeight)];
  const size = width === undefined || height === undefined ? '' : `<w:pgSz w:w="${width}" w:h="${height}"/>`;
  return `<w:type w:val="${kind}"/>${size}`;
}
