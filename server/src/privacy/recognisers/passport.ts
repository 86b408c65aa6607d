import { contextWords, standsAlone, objectWords } from '../context.ts';
import type { Report } from '../finding.ts';

const words = contextWords(['여권', '패스포트', '출입국', 'passport', 'travel document', 'pp no', 'kor']);

/** Korean passports: M12345678 until 2021, M123A4567 since. Source: ICAO Doc 9303 and the Passport Act, enforcement rules. */
const KOREAN = /(?<![A-Za-z0-9_*-])[MSRODGmsrodg][0-9]{3}(?:[A-Za-z][0-9]{4}|[0-9]{5})(?![A-Za-z0-9_*]|-[A-Za-z0-9*])/g;
/** Passports of other countries, which only the label before tells. */
const FOREIGN =
  /(?:여권 ?번호|여권|passport(?: ?(?:number|no\.?|#))?)(?:은|는|이|가)?(?: is)? ?[:：#=]? ?((?=[A-Z]{0,2}[0-9])[A-Z0-9]{8,9})(?![A-Za-z0-9_*]|-[A-Za-z0-9*])/gi;

/** Finds passport numbers. */
export function findPassports(text: string, report: Report): void {
  // Not matchAll, which copies the patterns with every call.
  KOREAN.lastIndex = 0;
  for (let match = KOREAN.exec(text); match !== null; match = KOREAN.exec(text)) {
    const { index, 0: found } = match;
    const end = index + found.length;
    const isNewForm = /[A-Za-z]/.test(found.charAt(4));
    const [nearObject, withoutContext] = isNewForm ? [0.4, 0.62] : [0.3, 0.42];
    if (words.distanceTo(text, index, end) !== null) report('PASSPORT', index, end, 0.95);
    else if (objectWords.distanceTo(text, index, end) !== null) report('PASSPORT', index, end, nearObject);
    else report('PASSPORT', index, end, withoutContext + (standsAlone(text, index, end) ? 0.15 : 0));
  }
  FOREIGN.lastIndex = 0;
  for (let match = FOREIGN.exec(text); match !== null; match = FOREIGN.exec(text)) {
    const { index, 0: found, 1: value = '' } = match;
    const start = index + found.length - value.length;
    report('PASSPORT', start, start + value.length, 0.8);
  }
}
