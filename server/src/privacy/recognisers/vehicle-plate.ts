import { contextWords } from '../context.ts';
import type { Report } from '../finding.ts';

/** Letters on plates. Source: rules on plates of motor vehicles of the ministry of land. */
const LETTERS = '가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주바사아자배하허호국합육공해';
/** Letters that are also words after a number: 조, 호, 주, 로. */
const ambiguousLetters = new Set('가나도로조주호부구수서사아하오고다라마자소');
const REGION = '(?:서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충북|충남|전북|전남|경북|경남|제주)';
/** Units of amounts, times and orders: directly after a number, or as a word of their own. */
const UNITS = '(?:년|월|일|원|억|만|천|명|개|건|회|호|번|쪽|부|점|주|위|%|㎡|시|분|초|평|세대|가구|여|kg|km|m)';
const PLATE = new RegExp(
  `(?<![0-9A-Za-z*.,-])(?:(${REGION}) ?)?([0-9]{2,3}) ?([${LETTERS}])( ?)([0-9]{4})(?![0-9A-Za-z*,.-]?[0-9*]|${UNITS}| ${UNITS}[은는이가을를의에도로과와]?(?![가-힣]))`,
  'g',
);
const words = contextWords([
  '차량',
  '번호판',
  '차번호',
  '자동차',
  '승용차',
  '차종',
  '주차',
  '차주',
  '렌터카',
  '렌트카',
  '차 번호',
  '제 차',
  '내 차',
  '우리 차',
  '차가',
  '차를',
  '화물차',
  '택시',
  '트럭',
  '견인',
  'plate',
  'vehicle',
  'car',
  'license plate',
]);

/** Finds plates of motor vehicles: 12가 3456, 123가4567, 서울 12가 3456. */
export function findPlates(text: string, report: Report): void {
  for (const { index, 0: found, 1: region, 3: letter = '', 4: gap, 5: digits = '' } of text.matchAll(PLATE)) {
    const end = index + found.length;
    if (words.distanceTo(text, index, end) !== null) report('VEHICLE_PLATE', index, end, 0.95);
    else if (region !== undefined) report('VEHICLE_PLATE', index, end, 0.85);
    else if (gap === '')
      report('VEHICLE_PLATE', index, end, ambiguousLetters.has(letter) && isYear(digits) ? 0.45 : 0.75);
    else
      report(
        'VEHICLE_PLATE',
        index,
        end,
        ambiguousLetters.has(letter) && (isYear(digits) || letter !== '가') ? 0.4 : 0.62,
      );
  }
}

const isYear = (digits: string) => /^(?:19|20)/.test(digits);
