import { createHash } from 'node:crypto';
import type { PiiType } from '@ai-studio/contract/utilities/privacy.ts';
import type { Random } from './random.ts';

// Values as they are given out, made from the rules that their issuers publish. Nothing here is shared with what finds them.

const two = (value: number) => String(value).padStart(2, '0');
const between = (r: Random, least: number, most: number) => least + r.int(most - least + 1);

function birth(r: Random, from: number, to: number): { readonly text: string; readonly year: number } {
  const year = between(r, from, to);
  const month = between(r, 1, 12);
  const day = between(r, 1, new Date(year, month, 0).getDate());
  return { text: two(year % 100) + two(month) + two(day), year };
}

function resident(r: Random, foreign: boolean): string {
  const { text, year } = birth(r, 1940, 2024);
  const sex = (foreign ? 5 : 1) + (year >= 2000 ? 2 : 0) + r.int(2);
  const head = `${text}${sex}${r.digits(5)}`;
  // Numbers that were given before October 2020 end with a check digit, later ones with any digit.
  let sum = 0;
  for (let at = 0; at < 12; at++) sum += Number(head[at]) * ((at % 8) + 2);
  const check = ((foreign ? 13 : 11) - (sum % 11)) % 10;
  const last = r.chance(0.7) ? String(check) : r.digits(1);
  return `${text}-${head.slice(6)}${last}`;
}

/** Ends a number with the digit that makes its Luhn sum a multiple of ten. */
function withLuhn(head: string): string {
  let sum = 0;
  for (let at = 0; at < head.length; at++) {
    const digit = Number(head[head.length - 1 - at]);
    const doubled = at % 2 === 0 ? digit * 2 : digit;
    sum += Math.floor(doubled / 10) + (doubled % 10);
  }
  return head + String((10 - (sum % 10)) % 10);
}

function card(r: Random): string {
  const kind = r.int(5);
  if (kind === 0) {
    const number = withLuhn(`3${r.pick(['4', '7'])}${r.digits(12)}`);
    return r.chance(0.5) ? number : `${number.slice(0, 4)}-${number.slice(4, 10)}-${number.slice(10)}`;
  }
  const first = r.pick(['4', '51', '52', '53', '54', '55', '2221', '2500', '6011', '6250', '3530', '9430', '9490']);
  const number = withLuhn(first + r.digits(15 - first.length));
  const four = number.match(/.{4}/g) ?? [];
  return r.pick([four.join('-'), four.join('-'), four.join(' '), number]);
}

function business(r: Random): string {
  const digits = `${between(r, 101, 899)}${r.pick(['81', '82', '86', '87', '88', '01', '12', '35', '90'])}${r.digits(4)}`;
  const weights = [1, 3, 7, 1, 3, 7, 1, 3, 5];
  let sum = Math.floor((Number(digits[8]) * 5) / 10);
  weights.forEach((weight, at) => (sum += weight * Number(digits[at])));
  const number = digits + String((10 - (sum % 10)) % 10);
  return `${number.slice(0, 3)}-${number.slice(3, 5)}-${number.slice(5)}`;
}

function corporate(r: Random): string {
  const head =
    r.pick(['1101', '1311', '1801', '2801', '2001', '1201', '1501', '1341']) +
    r.pick(['11', '14', '21', '71']) +
    r.digits(6);
  let sum = 0;
  for (let at = 0; at < 12; at++) sum += Number(head[at]) * ((at % 2) + 1);
  return `${head.slice(0, 6)}-${head.slice(6)}${(10 - (sum % 10)) % 10}`;
}

const licence = (r: Random) =>
  `${r.pick([11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28])}-${two(r.int(25))}-${r.digits(6)}-${r.digits(2)}`;
const passport = (r: Random) =>
  r.chance(0.6)
    ? `M${r.digits(3)}${r.char('ABCDEFGHJK')}${r.digits(4)}`
    : `${r.pick(['M', 'S', 'R', 'G', 'D'])}${r.digits(8)}`;

const account = (r: Random) =>
  r.pick([
    () => `110-${r.digits(3)}-${r.digits(6)}`,
    () => `1002-${r.digits(3)}-${r.digits(6)}`,
    () => `3333-${r.digits(2)}-${r.digits(7)}`,
    () => `${r.digits(6)}-${r.pick(['01', '02', '04'])}-${r.digits(6)}`,
    () => `30${r.digits(1)}-${r.digits(4)}-${r.digits(4)}-${r.digits(2)}`,
    () => `1000-${r.digits(4)}-${r.digits(4)}`,
    () => `${r.digits(3)}-${r.digits(6)}-${r.digits(5)}`,
    () => `9002-${r.digits(4)}-${r.digits(4)}-${r.digits(1)}`,
    () => `${between(r, 1, 9)}${r.digits(11)}`,
    () => `110${r.digits(9)}`,
  ])();

function phone(r: Random): string {
  const mobile = ['010', r.pick(['2', '3', '4', '5', '6', '7', '8', '9']) + r.digits(3), r.digits(4)];
  return r.pick([
    () => mobile.join('-'),
    () => mobile.join('-'),
    () => mobile.join(''),
    () => mobile.join(' '),
    () => mobile.join('.'),
    () => `+82-10-${mobile[1] ?? ''}-${mobile[2] ?? ''}`,
    () => `+82 10 ${mobile[1] ?? ''} ${mobile[2] ?? ''}`,
    () => `011-${between(r, 200, 999)}-${r.digits(4)}`,
    () => `02-${between(r, 200, 999)}-${r.digits(4)}`,
    () => `02-${between(r, 2000, 8999)}-${r.digits(4)}`,
    () => `02)${between(r, 2000, 8999)}-${r.digits(4)}`,
    () => `${r.pick(['031', '032', '042', '051', '053', '062', '064'])}-${between(r, 200, 999)}-${r.digits(4)}`,
    () => `070-${between(r, 4000, 8999)}-${r.digits(4)}`,
    () => `050${between(r, 2, 8)}-${between(r, 1000, 9999)}-${r.digits(4)}`,
  ])();
}

const users =
  'minjun seoyeon jiwoo hana.kim kim.doyun lee_sora parkhj choi-yj test01 admin support info john.smith jane_d a.b.c user+news'.split(
    ' ',
  );
const hosts =
  'naver.com gmail.com daum.net hanmail.net kakao.com example.co.kr korea.go.kr snu.ac.kr company.io mail.example.org nate.com outlook.com'.split(
    ' ',
  );
const email = (r: Random) => `${r.pick(users)}${r.chance(0.4) ? r.digits(2) : ''}@${r.pick(hosts)}`;

const families =
  '김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 류 전 홍 고 문 양 손 배 백 허 유 남 심 노 하 곽 성 차 주 우 구 민 진 지 엄 채 원 천 방 공 현 함 남궁 황보 선우'.split(
    ' ',
  );
const givens =
  '민준 서준 도윤 예준 시우 하준 주원 지호 지후 준우 준서 도현 건우 현우 우진 지훈 선우 서진 민재 현준 연우 유준 정우 승우 승현 시윤 준혁 은우 지환 승민 서연 서윤 지우 서현 하은 하윤 민서 지유 윤서 채원 수아 지민 지아 지윤 은서 다은 예은 수빈 소율 예린 지원 소윤 하린 유진 영수 영호 정호 성호 광수 상철 경숙 미경 영희 순자 정숙 명숙 현숙 은주 혜진 동현 재현 태윤 규리 나연 가영 보람 한결 새롬 아름'.split(
    ' ',
  );
const person = (r: Random) => r.pick(families) + r.pick(givens);

const places: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['서울특별시 강남구', ['테헤란로', '봉은사로', '논현로 12길', '강남대로'], ['역삼동', '삼성동', '대치동']],
  ['서울시 마포구', ['월드컵북로', '양화로', '독막로 3길'], ['상암동', '서교동', '합정동']],
  ['서울 종로구', ['세종대로', '율곡로', '자하문로 5길'], ['사직동', '부암동', '혜화동']],
  ['부산광역시 해운대구', ['센텀중앙로', '해운대해변로', '좌동순환로'], ['우동', '좌동', '반여동']],
  ['대구 수성구', ['달구벌대로', '동대구로'], ['범어동', '만촌동']],
  ['경기도 성남시 분당구', ['판교역로', '정자일로', '황새울로 200번길'], ['정자동', '서현동', '백현동']],
  ['경기 수원시 영통구', ['광교중앙로', '매영로'], ['이의동', '매탄동']],
  ['강원특별자치도 춘천시', ['중앙로', '남춘로 36번길'], ['효자동', '석사동']],
  ['충청북도 청주시 상당구', ['상당로', '단재로'], ['용암동', '금천동']],
  ['전북 전주시 완산구', ['홍산로', '백제대로'], ['효자동', '중화산동']],
  ['제주특별자치도 제주시', ['연북로', '노형로'], ['연동', '노형동']],
  ['경상남도 김해시', ['분성로', '김해대로'], ['내동', '외동']],
  ['전라남도 나주시 빛가람동', ['그린로', '상야로'], []],
];
function address(r: Random): string {
  const [district, roads, towns] = r.pick(places);
  const number = `${1 + r.int(400)}${r.chance(0.3) ? `-${1 + r.int(40)}` : ''}`;
  if (towns.length > 0 && r.chance(0.35))
    return `${district} ${r.pick(towns)} ${number}${r.pick(['', '번지', ` ${1 + r.int(30)}층`])}`;
  const more = r.pick([
    '',
    `, ${1 + r.int(30)}층`,
    `, ${100 + r.int(20)}동 ${1 + r.int(20)}0${1 + r.int(8)}호`,
    ` ${r.pick(['한빛타워', '미래빌딩', '푸른아파트'])} ${101 + r.int(900)}호`,
  ]);
  return `${district} ${r.pick(roads)} ${number}${more}`;
}

const plate = (r: Random) => {
  const letter = r.char('가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주바사아자허하호배');
  return r.pick([
    () => `${10 + r.int(60)}${letter}${r.pick(['', ' '])}${1000 + r.int(8999)}`,
    () => `${100 + r.int(690)}${letter}${r.pick(['', ' '])}${1000 + r.int(8999)}`,
    () =>
      `${r.pick(['서울', '경기', '부산'])} ${10 + r.int(60)}${r.pick(['바', '사', '아', '자'])} ${1000 + r.int(8999)}`,
  ])();
};

const hex = (r: Random, count: number) => Array.from({ length: count }, () => r.char('0123456789abcdef')).join('');
const ip = (r: Random) =>
  r.chance(0.75)
    ? `${r.pick(['10', '172', '192', '203', '121', '8', '52'])}.${r.int(256)}.${r.int(256)}.${1 + r.int(254)}`
    : `2001:${hex(r, 4)}:${hex(r, 4)}::${hex(r, 3).replace(/^0+/, '1')}`;
const mac = (r: Random) => {
  const parts = Array.from({ length: 6 }, () => hex(r, 2));
  parts[0] = r.pick(['a4', '0c', 'f0', '3e', 'b8']);
  return r.chance(0.5) ? parts.join(':') : parts.join('-').toUpperCase();
};

function iban(r: Random): string {
  const [country, body] = r.pick([
    ['DE', r.digits(18)],
    ['FR', `${r.digits(10)}${r.digits(11)}${r.digits(2)}`],
    ['GB', `${r.pick(['NWBK', 'BARC', 'LOYD'])}${r.digits(14)}`],
    ['ES', r.digits(20)],
    ['NL', `${r.pick(['ABNA', 'INGB'])}${r.digits(10)}`],
    ['CH', r.digits(17)],
  ] as const);
  const numeric = Array.from(`${body}${country}00`, (char) => parseInt(char, 36)).join('');
  const check = two(Number(98n - (BigInt(numeric) % 97n)));
  const whole = country + check + body;
  return r.chance(0.5) ? whole : (whole.match(/.{1,4}/g) ?? []).join(' ');
}

const ssn = (r: Random) => {
  const area = between(r, 1, 899);
  return `${String(area === 666 ? 667 : area).padStart(3, '0')}-${two(1 + r.int(99))}-${String(1 + r.int(9999)).padStart(4, '0')}`;
};
const imei = (r: Random) => withLuhn(`${r.pick(['35', '86', '01'])}${r.digits(12)}`);

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
function wallet(r: Random): string {
  if (r.chance(0.4)) return `0x${hex(r, 40)}`;
  const payload = Buffer.concat([Buffer.from([0]), Buffer.from(`f${hex(r, 39)}`, 'hex')]);
  let rest = BigInt(`0x${Buffer.concat([payload, sha(sha(payload)).subarray(0, 4)]).toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = (ALPHABET[Number(rest % 58n)] ?? '') + text;
  return `1${text}`;
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const word = (r: Random, count: number) => Array.from({ length: count }, () => r.char(letters)).join('');
const secret = (r: Random) =>
  r.pick([
    () => `sk-${word(r, 48)}`,
    () => `ghp_${word(r, 36)}`,
    () => `AKIA${Array.from({ length: 16 }, () => r.char('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')).join('')}`,
    () => `xoxb-${r.digits(12)}-${word(r, 24)}`,
    () => `eyJ${word(r, 30)}.eyJ${word(r, 60)}.${word(r, 43)}`,
  ])();

/** A value of each type. */
export const makeValue: Readonly<Record<PiiType, (r: Random) => string>> = {
  RRN: (r) => resident(r, false),
  FRR: (r) => resident(r, true),
  DRIVER_LICENSE: licence,
  PASSPORT: passport,
  BANK_ACCOUNT: account,
  CREDIT_CARD: card,
  PHONE: phone,
  EMAIL: email,
  ADDRESS: address,
  PERSON: person,
  BUSINESS_NUMBER: business,
  CORPORATE_NUMBER: corporate,
  HEALTH_INSURANCE: (r) => `${between(r, 1, 9)}${r.digits(10)}`,
  VEHICLE_PLATE: plate,
  IP: ip,
  MAC: mac,
  IBAN: iban,
  SSN: ssn,
  IMEI: imei,
  CRYPTO_WALLET: wallet,
  SECRET: secret,
};

/** A card number whose last digit is wrong. */
export function brokenCard(r: Random): string {
  const number = card(r).replace(/\D/g, '');
  const wrong = number.slice(0, -1) + String((Number(number.at(-1)) + 1 + r.int(8)) % 10);
  return (wrong.match(/.{1,4}/g) ?? []).join('-');
}

/** A business number whose last digit is wrong. */
export function brokenBusiness(r: Random): string {
  const number = business(r);
  return number.slice(0, -1) + String((Number(number.at(-1)) + 1 + r.int(8)) % 10);
}
