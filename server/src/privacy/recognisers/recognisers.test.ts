import { type PiiType, piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { covers } from '../../../test/requirements.ts';
import { findPii } from '../index.ts';
import { recognise, recogniserNames, recogniserOf } from './index.ts';

const found = (text: string, types: readonly PiiType[] = piiTypes) =>
  findPii(text, { types }).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);

describe('Korean values', () => {
  test.each([
    ['주민번호는 960121-1234567이에요', 'RRN 960121-1234567'],
    ['주민번호는 ９６０１２１－１２３４５６７입니다', 'RRN ９６０１２１－１２３４５６７'],
    ['주민번호: 9 6 0 1 2 1 - 1 2 3 4 5 6 7 끝', 'RRN 9 6 0 1 2 1 - 1 2 3 4 5 6 7'],
    ['주민번호 96\u200b0121–123\u200b4567', 'RRN 96\u200b0121–123\u200b4567'],
    [
      String.raw`"\uc8fc\ubbfc": "\u0039\u0036\u0030121\u002d1234567"`,
      String.raw`RRN \u0039\u0036\u0030121\u002d1234567`,
    ],
    [String.raw`{"\uacc4\uc88c\ubc88\ud638": "110-123-456789"}`, 'BANK_ACCOUNT 110-123-456789'],
    ['연락처는 010-1234-5678로', 'PHONE 010-1234-5678'],
    ['(02)345-6789', 'PHONE (02)345-6789'],
    ['TEL.02-345-6789', 'PHONE 02-345-6789'],
    ['전화 +82 (0)10-1234-5678', 'PHONE +82 (0)10-1234-5678'],
    ['문의 0507-1234-5678', 'PHONE 0507-1234-5678'],
    ['hong@naver.com으로', 'EMAIL hong@naver.com'],
    ['https://a.example/cb?email=hong%40naver.com&x=1', 'EMAIL hong%40naver.com'],
    ['hong [at] naver.com', 'EMAIL hong [at] naver.com'],
    ['주민번호 960121~1234567 맞지', 'RRN 960121~1234567'],
    ['번호 010_1234_5678로', 'PHONE 010_1234_5678'],
    ['총무과 ((02)3693-4065)', 'PHONE (02)3693-4065'],
    ['Cell: +1 855-923-3167 |', 'PHONE +1 855-923-3167'],
    ['등기번호 001234\n등록번호 160111-4598115\n상호', 'CORPORATE_NUMBER 160111-4598115'],
    ['ping 2001:db8:5f23::9d80:7a5: 56 data', 'IP 2001:db8:5f23::9d80:7a5'],
    ['소재지 서울 영등포구 당산동4가 325 대 231.4㎡', 'ADDRESS 서울 영등포구 당산동4가 325'],
    ['돈은 국민 67717270216088 여기', 'BANK_ACCOUNT 67717270216088'],
    ['여권번호는M123A4567이고', 'PASSPORT M123A4567'],
    ['서울 12-345678-90 면허', 'DRIVER_LICENSE 서울 12-345678-90'],
    ['차량 12가3456이', 'VEHICLE_PLATE 12가3456'],
    ['서울시강남구역삼동 123-45번지에', 'ADDRESS 서울시강남구역삼동 123-45번지'],
    ['경기도 성남시 분당구 판교역로 235, 101동 1502호에', 'ADDRESS 경기도 성남시 분당구 판교역로 235, 101동 1502호'],
    ['예금주 남궁민수', 'PERSON 남궁민수'],
    ['김서준님께', 'PERSON 김서준'],
    ['환자 성명 문민수 외', 'PERSON 문민수'],
    ['보호자 배우자 차지안', 'PERSON 차지안'],
    ['"성명":"백병철"', 'PERSON 백병철'],
    ["owner='김미영';", 'PERSON 김미영'],
    ['안녕하세요 성미영입니다.', 'PERSON 성미영'],
    ['[송이현] [오후 3:12] 네', 'PERSON 송이현'],
    ['동의자: 윤태양 (인)', 'PERSON 윤태양'],
    ['010 - 1234 - 5678', 'PHONE 010 - 1234 - 5678'],
    ['Traveler Sarah L. Wilson, seat 3', 'PERSON Sarah L. Wilson'],
  ])('in %j', (text, value) => {
    covers('pii.korean');
    expect(found(text)).toEqual([value]);
  });
});

test('names of lists and of quoted cells are found, words of everyday use are not', () => {
  const people = (text: string) => found(text, ['PERSON']);
  expect(people('세대원: 한도경, 김건호')).toEqual(['PERSON 한도경', 'PERSON 김건호']);
  expect(people('"성명","주소"\n"서도영","서울시 강남구 역삼동 12, 3층"')).toEqual(['PERSON 서도영']);
  for (const text of [
    '이름이 다르면',
    '고객: 국민 110',
    '운송장 799837275695 배송이',
    '손해배상(기)',
    '배우자 연락처',
    '원인: 전기합선',
    '하나라도: 지원자, 담당자',
  ])
    expect(people(text), text).toEqual([]);
});

test('a line of more than 2,000 characters is no row of a table, and ends it', () => {
  const table = (first: string) => found(`성명,전화\n${first}\n왕율철,1`, ['PERSON']);
  const row = (length: number) => `왕율철,${'1'.repeat(length - 4)}`;
  expect(table(row(2_000))).toEqual(['PERSON 왕율철', 'PERSON 왕율철']);
  expect(table(row(2_001))).toEqual([]);
  expect(found(`성명,전화\n${row(2_000)}`, ['PERSON'])).toEqual(['PERSON 왕율철']);
  expect(found(`성명,전화\n왕율철,1\n${row(2_001)}`, ['PERSON'])).toEqual(['PERSON 왕율철']);
  expect(found(`성명,${'1'.repeat(1_998)}\n왕율철,1`, ['PERSON'])).toEqual([]);
});

test('a text that is said to be of one language is read by its rules alone', () => {
  const text = '김서준 과장, Mr. John Smith, 강남구 테헤란로 152, 9 Oak Lane';
  const read = (language: 'auto' | 'ko' | 'en') =>
    findPii(text, { types: ['PERSON', 'ADDRESS'], language }).map(({ start, end }) => text.slice(start, end));
  expect(read('auto')).toEqual(['김서준', 'John Smith', '강남구 테헤란로 152', '9 Oak Lane']);
  expect(read('ko')).toEqual(['김서준', '강남구 테헤란로 152']);
  expect(read('en')).toEqual(['John Smith', '9 Oak Lane']);
});

describe('resident and foreigner numbers', () => {
  test('need a day of birth and no check digit', () => {
    covers('pii.resident');
    expect(found('960121-1234567', ['RRN'])).toHaveLength(1);
    expect(found('211021-3234567', ['RRN'])).toHaveLength(1);
    expect(found('911124-5678901', ['FRR'])).toHaveLength(1);
    for (const no of ['961321-1234567', '960231-1234567', '990229-1234567', '960121-9234567', '960121-0234567'])
      expect(found(no, ['RRN', 'FRR']), no).toEqual([]);
    expect(found('000229-3234567', ['RRN'])).toHaveLength(1);
  });

  test('of a company are numbers of a company', () => {
    covers('pii.rivals');
    const text = '법인등록번호 110111-1234567';
    expect(found(text)).toEqual(['CORPORATE_NUMBER 110111-1234567']);
    expect(found(text, ['RRN'])).toEqual([]);
    expect(found('110111-1234567', ['CORPORATE_NUMBER'])).toEqual([]);
  });
});

describe('numbers of one kind', () => {
  test('are not taken for those of another', () => {
    covers('pii.rivals');
    expect(found('국민은행 고객센터 02-1234-5678', ['BANK_ACCOUNT'])).toEqual([]);
    expect(found('우리은행에서 4111-1111-1111-1111로')).toEqual(['CREDIT_CARD 4111-1111-1111-1111']);
    expect(found('계좌번호: 010-1234-5678', ['BANK_ACCOUNT'])).toEqual(['BANK_ACCOUNT 010-1234-5678']);
    expect(found('계좌번호 110-123-456789')).toEqual(['BANK_ACCOUNT 110-123-456789']);
    expect(found('코드 110-123-456789')).toEqual([]);
    expect(found('대표번호 1588-1234')).toEqual([]);
    expect(found('사업자 104-86-56659')).toEqual(['BUSINESS_NUMBER 104-86-56659']);
    expect(found('사업자 104-86-56658')).toEqual([]);
    expect(found('카드 4111-1111-1111-1112')).toEqual([]);
    expect(found('1-960121-1234567, 960121-1234567-1, AB960121-1234567')).toEqual([]);
    expect(found('3.14159265358979')).toEqual([]);
    expect(found('통장 잔액 1234567890원, 계좌 이체 1101234567890 원')).toEqual([]);
    expect(found('v192.168.0.1, 제3.1.2.4절')).toEqual([]);
  });
});

test('schemes of HTTP are followed by credentials, or are words; programs read secrets from elsewhere', () => {
  expect(found('Authorization: Basic dXNlcjpwYXNz1w==')).toEqual(['SECRET dXNlcjpwYXNz1w==']);
  expect(found('password: z.string().min(8), token = config.bos_token, apiKey: process.env.MY_KEY2')).toEqual([]);
  expect(found('Bearer abc123def456ghi')).toEqual(['SECRET abc123def456ghi']);
  expect(found('Visual Basic .NET, Basic (classic), Bearer Authentication, basic Knowledge')).toEqual([]);
});

test('a number is found with the bracket of its area and its country', () => {
  expect(found('(032) 410-8278로')).toEqual(['PHONE (032) 410-8278']);
  expect(found('at +1 (574) 704-1849 or')).toEqual(['PHONE +1 (574) 704-1849']);
  expect(found('접수처(02)544-7189)')).toEqual(['PHONE 02)544-7189']);
  expect(found('(010-1234-5678)')).toEqual(['PHONE 010-1234-5678']);
});

test('names are known by fields, cells and addresses beside them', () => {
  const people = (text: string) => found(text, ['PERSON']);
  expect(people('{"name":"신순호","item":"신순대"}')).toEqual(['PERSON 신순호']);
  expect(people('From: "Ingrid Gallagher" <a@example.org>')).toEqual(['PERSON Ingrid Gallagher']);
  expect(people('수신: 구지환 귀하')).toEqual(['PERSON 구지환']);
  expect(people('정민식\t960121-1234567')).toEqual(['PERSON 정민식']);
  expect(people('<td>손태규</td><td>010-1234-5678</td>')).toEqual(['PERSON 손태규']);
  expect(people('예금주 반도람으로')).toEqual(['PERSON 반도람']);
  expect(people('번호\t성명\t나이\n1\t왕율철\t61\n2\tJane Roe\t30\n왕율철 고등어')).toEqual([
    'PERSON 왕율철',
    'PERSON Jane Roe',
  ]);
  expect(people('| 이름 | 값 |\n|---|---|\n| 고등어 | 3 |\n| 김서준 | 4 |')).toEqual(['PERSON 김서준']);
  expect(people('{"customer_name": "김민", "name": "사진", "city_name": "전주안"}')).toEqual(['PERSON 김민']);
  expect(people('Customer Care <a@example.org>, Sales Team <b@example.org>, The Register <c@example.org>')).toEqual([]);
  expect(people('이름\t값\n사진\t3\n이미지\t4')).toEqual([]);
  expect(people('문화원(02-123-4567), Data Park <info@example.org>')).toEqual([]);
});

describe('other values', () => {
  test.each([
    ['GB29 NWBK 6016 1331 9268 19', 'IBAN'],
    ['1BoatSLRHtKNngkdXEeobR76b53LETtpyT', 'CRYPTO_WALLET'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'CRYPTO_WALLET'],
    ['2001:db8:85a3::8a2e:370:7334', 'IP'],
    ['aa:bb:cc:dd:ee:ff', 'MAC'],
    ['SSN 123-45-6789', 'SSN'],
    ['IMEI 35-693803-564380-9', 'IMEI'],
    ['AKIAIOSFODNN7EXAMPLE', 'SECRET'],
    ['password = "hunter2!x"', 'SECRET'],
    ['건강보험증번호 51234567890', 'HEALTH_INSURANCE'],
    ['123 Main Street, Springfield, IL 62704', 'ADDRESS'],
    ['Mr. John Smith', 'PERSON'],
  ])('%j', (text, type) => {
    expect(findPii(text, { types: piiTypes }).map((one) => one.type)).toEqual([type]);
  });

  test('whose check digits are wrong are none', () => {
    const wrong =
      'GB29 NWBK 6016 1331 9268 18, 1BoatSLRHtKNngkdXEeobR76b53LETtpyU, bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5, IMEI 356938035643808';
    expect(found(wrong)).toEqual([]);
  });

  test('a private key is found to its end, and one that is cut off', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJB\n-----END RSA PRIVATE KEY-----';
    expect(found(`a ${key} b`)).toEqual([`SECRET ${key}`]);
    expect(found(key.slice(0, 45))).toEqual([`SECRET ${key.slice(0, 45)}`]);
  });
});

describe('addresses in base 58', () => {
  const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  /** The address of a version whose other twenty bytes are the same. */
  function addressOf(version: number): string {
    const bytes = Buffer.alloc(21, version % 7);
    bytes[0] = version;
    let number = BigInt(`0x${Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)]).toString('hex')}`);
    let text = '';
    for (; number > 0n; number /= 58n) text = DIGITS.charAt(Number(number % 58n)) + text;
    return text;
  }

  test('are those of the known currencies', () => {
    const known = [0x05, 0x30, 0x32, 0x1e, 0x16, 0x41, 0x4c, 0x10];
    const versions = Array.from({ length: 256 }, (_, version) => version);
    const taken = versions.filter((version) => found(addressOf(version), ['CRYPTO_WALLET']).length > 0);
    expect(taken).toEqual(known.toSorted((a, b) => a - b));
  });
});

/** A text that holds a value of each type, and one like it that holds none. */
const examples: Readonly<Record<PiiType, readonly [found: string, not: string]>> = {
  RRN: ['주민번호 960121-1234567', '주문번호 961321-1234567'],
  FRR: ['외국인등록번호 960121-5234567', '주문번호 961321-5234567'],
  DRIVER_LICENSE: ['서울 12-345678-90 면허', '전표 12-345678-90'],
  PASSPORT: ['여권번호는 M123A4567이고', '모델명 M1234'],
  BANK_ACCOUNT: ['계좌번호 110-123-456789', '주문 110-123'],
  CREDIT_CARD: ['카드 4111-1111-1111-1111', '번호 4111-1111-1111-1112'],
  PHONE: ['연락처는 010-1234-5678로', '버전 010-12-5'],
  EMAIL: ['hong@naver.com으로', 'hong@naver'],
  ADDRESS: ['서울 영등포구 당산동4가 325', '서울에서 만나요'],
  PERSON: ['예금주 남궁민수', '예금을 했다'],
  BUSINESS_NUMBER: ['사업자등록번호 220-81-62517', '전표 220-81-62518'],
  CORPORATE_NUMBER: ['법인등록번호 160111-4598115', '전표 16011-459811'],
  HEALTH_INSURANCE: ['건강보험증 번호 1-2345678901', '전표 1-23456'],
  VEHICLE_PLATE: ['차량 12가3456이', '12가지 3456개'],
  IP: ['서버 192.168.0.12', '버전 1.2.3'],
  MAC: ['장비 00:1A:2B:3C:4D:5E', '시각 00:12:30'],
  IBAN: ['IBAN DE89370400440532013000', '주문 DE89370400440532013001'],
  SSN: ['SSN 536-90-4399', '전표 000-12-3456'],
  IMEI: ['IMEI 490154203237518', '전표 490154203237519'],
  CRYPTO_WALLET: ['지갑 0x52908400098527886E0F7030069857D2E4169EE7', '지갑 0x5290'],
  SECRET: ['password = "hT9!vKq2#xLm4"', '비밀번호를 잊었어요'],
};

test.each(piiTypes)('%s has a recogniser, which finds a value and leaves what is like it', (type) => {
  expect(recogniserOf(type)).not.toBe('deny_list');
  const [value, other] = examples[type];
  expect(found(value, [type]).join()).toContain(type);
  expect(found(other, [type])).toEqual([]);
});

test('only recognisers of the types that are wanted run, and those whose numbers are mistaken for others', () => {
  const text = '010-1234-5678 hong@naver.com 192.168.0.12 서버, AKIAIOSFODNN7EXAMPLE';
  const reported = (wanted: readonly PiiType[]) => {
    const types = new Set<string>();
    recognise(text, new Set(wanted), 'auto', (type) => types.add(type));
    return [...types].toSorted();
  };
  expect(reported(['EMAIL'])).toEqual(['EMAIL', 'PHONE']);
  expect(reported(['IP', 'SECRET'])).toEqual(['IP', 'PHONE', 'SECRET']);
  expect(recogniserNames(new Set(['IP', 'RRN']))).toEqual(['resident_number', 'ip_address']);
});
