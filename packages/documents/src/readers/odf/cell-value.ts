import { attributeOf, childOf, type XmlElement } from '../../package/xml.ts';

/** Digits of a number that carry meaning. */
const SHOWN_DIGITS = 15;

const numberText = (text: string): string => {
  const value = Number(text);
  return text === '' || !Number.isFinite(value) ? text : String(Number(value.toPrecision(SHOWN_DIGITS)));
};

/** Hours, minutes and seconds of a duration (`PT12H30M00S`). */
function timeText(text: string): string {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?$/.exec(text) ?? [];
  return text.startsWith('PT') ? [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':') : text;
}

function valueText(cell: XmlElement): string {
  const value = attributeOf(cell, 'office:value') ?? '';
  switch (attributeOf(cell, 'office:value-type')) {
    case 'float':
      return numberText(value);
    case 'percentage':
      return value === '' ? '' : `${numberText(String(Number(value) * 100))}%`;
    case 'currency':
      return [numberText(value), attributeOf(cell, 'office:currency') ?? ''].join(' ').trim();
    case 'date':
      return (attributeOf(cell, 'office:date-value') ?? '').replace('T', ' ');
    case 'time':
      return timeText(attributeOf(cell, 'office:time-value') ?? '');
    case 'boolean':
      return (attributeOf(cell, 'office:boolean-value') ?? '').toUpperCase();
    case 'string':
      return (attributeOf(cell, 'office:string-value') ?? '').trim();
    default:
      return '';
  }
}

/**
 * The value of a cell without text, as some programs leave that to whoever shows the sheet: written plainly, as its format is not known
 * here. A zero whose text is there and empty is not shown. Source: OpenDocument 1.3, 19.385 (office:value-type).
 */
export function shownValue(cell: XmlElement): string {
  const value = valueText(cell);
  return value === '0' && childOf(cell, 'text:p') !== undefined ? '' : value;
}
