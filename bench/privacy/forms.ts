import type { PiiType } from '@ai-studio/contract/utilities/privacy.ts';
import { type Random, createRandom } from './random.ts';
import type { Labelled } from './sentences.ts';
import { makeValue } from './values.ts';

// Texts with many values: forms, tables, records, signatures, messages. Values of different kinds stand side by side, so that
// the words for one are near the others.

/** What forms call a value. */
const labels: Readonly<Partial<Record<PiiType, readonly string[]>>> = {
  RRN: ['주민등록번호', '주민번호', '주민등록 번호(13자리)', '생년월일/주민번호', 'RRN', 'Resident No.', '등록번호'],
  FRR: ['외국인등록번호', '외국인번호', 'Alien Reg. No.', '등록증 번호'],
  DRIVER_LICENSE: ['운전면허', '운전면허증번호', '면허번호', "Driver's License No.", 'DL'],
  PASSPORT: ['여권번호', '여권 No', 'Passport', 'Passport number'],
  BANK_ACCOUNT: [
    '계좌번호',
    '입금계좌',
    '환급계좌',
    '급여계좌',
    '은행/계좌',
    'Account No.',
    'Bank account',
    '출금 계좌',
  ],
  CREDIT_CARD: ['카드번호', '신용카드', '결제카드', 'Card number', 'Credit card', '법인카드 번호'],
  PHONE: [
    '연락처',
    '전화번호',
    '휴대폰',
    '휴대전화',
    '핸드폰',
    'H.P',
    'Tel',
    'Mobile',
    '비상연락망',
    '자택전화',
    '팩스',
    'Phone',
  ],
  EMAIL: ['이메일', '메일', 'E-mail', 'email', '전자우편', '아이디'],
  ADDRESS: ['주소', '자택주소', '배송지', '거주지', '사업장 소재지', 'Address', '집주소'],
  PERSON: ['이름', '성명', '신청인', '대표자', '담당자', '고객명', '예금주', '보호자', '수령인'],
  BUSINESS_NUMBER: ['사업자등록번호', '사업자번호', '등록번호', 'Business No.', '사업자 번호'],
  CORPORATE_NUMBER: ['법인등록번호', '법인번호'],
  HEALTH_INSURANCE: ['건강보험증번호', '건강보험 증번호', '보험증번호'],
  VEHICLE_PLATE: ['차량번호', '차량 번호', '자동차등록번호', '번호판'],
  IP: ['IP', '접속IP', 'IP주소', 'ip_address', '서버 IP'],
  MAC: ['MAC', 'MAC주소', 'mac_address'],
  IMEI: ['IMEI', '단말기 IMEI'],
};
const typesOfForms = Object.keys(labels) as (keyof typeof labels)[];

/** A text that grows, and the values in it. */
class Writing {
  text = '';
  readonly #entities: { type: PiiType; start: number; end: number }[] = [];

  put(text: string): this {
    this.text += text;
    return this;
  }

  value(type: PiiType, value: string): this {
    this.#entities.push({ type, start: this.text.length, end: this.text.length + value.length });
    return this.put(value);
  }

  done(): Labelled {
    return { text: this.text, entities: this.#entities };
  }
}

function shuffled<T>(r: Random, list: readonly T[]): T[] {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at--) {
    const other = r.int(at + 1);
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
}

function form(r: Random): Labelled {
  const writing = new Writing();
  const colon = r.pick([': ', ' : ', ':', ' - ', '\t', ' ', '：', ' = ']);
  const gap = r.pick(['\n', '\n', ', ', ' / ', ' | ', '; ']);
  if (r.chance(0.3)) writing.put(r.pick(['[신청서]\n', '1. 인적사항\n', '■ 고객 정보\n', 'Registration form\n']));
  for (const [at, type] of shuffled(r, typesOfForms)
    .slice(0, 2 + r.int(6))
    .entries()) {
    if (at > 0) writing.put(gap);
    writing.put(r.pick(labels[type] ?? []) + colon).value(type, makeValue[type](r));
    if (r.chance(0.1)) writing.put(r.pick([' (확인)', ' (본인)', ' ※필수']));
  }
  return writing.done();
}

/** Values that say by themselves what they are. */
const speaking = ['RRN', 'PHONE', 'EMAIL', 'FRR', 'DRIVER_LICENSE'] as const;

function table(r: Random): Labelled {
  const writing = new Writing();
  const comma = r.pick([',', '\t', ' | ', ';', ', ']);
  const columns = shuffled(r, speaking).slice(0, 2 + r.int(2));
  writing.put(['번호', ...columns.map((type) => labels[type]?.[0] ?? type), '비고'].join(comma));
  for (let row = 1; row <= 3 + r.int(4); row++) {
    writing.put(`\n${row}`);
    for (const type of columns) writing.put(comma).value(type, makeValue[type](r));
    writing.put(comma + r.pick(['', '정상', 'OK', '2024-05-01', '-']));
  }
  return writing.done();
}

function record(r: Random): Labelled {
  const writing = new Writing().put('{');
  const keys = {
    RRN: 'residentNumber',
    PHONE: 'phone',
    EMAIL: 'email',
    CREDIT_CARD: 'cardNumber',
    IP: 'clientIp',
    BANK_ACCOUNT: 'bankAccount',
    PASSPORT: 'passportNo',
    SECRET: 'apiKey',
  } as const;
  for (const [at, [type, key]] of shuffled(r, Object.entries(keys) as [keyof typeof keys, string][])
    .slice(0, 4)
    .entries())
    writing
      .put(`${at > 0 ? ', ' : ''}"${key}": "`)
      .value(type, makeValue[type](r))
      .put('"');
  return writing.put(', "count": 12, "createdAt": "2024-03-15T09:30:00Z"}').done();
}

function signature(r: Random): Labelled {
  const phone = (area: string) => `${area}-${200 + r.int(700)}-${r.digits(4)}`;
  return new Writing()
    .put(r.pick(['감사합니다.\n', '잘 부탁드립니다.\n\n', 'Best regards,\n']))
    .value('PERSON', makeValue.PERSON(r))
    .put(
      ` ${r.pick(['대리', '과장', '팀장', '선임연구원', '매니저'])} | ${r.pick(['한빛소프트', '미래전자'])} 개발1팀\nT. `,
    )
    .value('PHONE', phone('02'))
    .put('  M. ')
    .value('PHONE', `010-${2000 + r.int(7000)}-${r.digits(4)}`)
    .put('  F. ')
    .value('PHONE', phone('02'))
    .put('\nE. ')
    .value('EMAIL', makeValue.EMAIL(r))
    .put('\n')
    .value('ADDRESS', makeValue.ADDRESS(r))
    .done();
}

const messages: readonly ((r: Random, w: Writing) => Writing)[] = [
  (r, w) =>
    w
      .put('안녕하세요 저 ')
      .value('PERSON', makeValue.PERSON(r))
      .put('인데요, 폰 바꿔서 번호가 ')
      .value('PHONE', makeValue.PHONE(r))
      .put('로 변경됐어요'),
  (r, w) =>
    w
      .put('회비는 카카오뱅크 ')
      .value('BANK_ACCOUNT', `3333-${r.digits(2)}-${r.digits(7)}`)
      .put(' 로 ')
      .put('3만원씩 보내주세요~'),
  (r, w) =>
    w
      .put('결제가 안 돼요. 카드는 ')
      .value('CREDIT_CARD', makeValue.CREDIT_CARD(r))
      .put(' 이고 유효기간 03/29, CVC 123입니다'),
  (r, w) =>
    w
      .put('어머니 주민번호가 ')
      .value('RRN', makeValue.RRN(r))
      .put('인데 보험 조회되나요? 제 건 ')
      .value('RRN', makeValue.RRN(r))
      .put('요.'),
  (r, w) =>
    w
      .put('네 ')
      .value('PHONE', makeValue.PHONE(r))
      .put('번으로 문자 주시면 ')
      .value('EMAIL', makeValue.EMAIL(r))
      .put('로도 같이 보내드릴게요'),
  (r, w) =>
    w
      .put('Hi, this is about booking 48213. My passport is ')
      .value('PASSPORT', makeValue.PASSPORT(r))
      .put(' and you can reach me at ')
      .value('EMAIL', makeValue.EMAIL(r))
      .put(' or ')
      .value('PHONE', makeValue.PHONE(r))
      .put('.'),
  (r, w) =>
    w
      .put(`2024-06-0${1 + r.int(9)} 12:30:11 WARN login failed user=`)
      .value('EMAIL', makeValue.EMAIL(r))
      .put(' ip=')
      .value('IP', makeValue.IP(r))
      .put(' attempt=3'),
  (r, w) =>
    w
      .put('퀵으로 ')
      .value('ADDRESS', makeValue.ADDRESS(r))
      .put(' 로 보내주시고 도착하면 ')
      .value('PHONE', makeValue.PHONE(r))
      .put(' 연락 주세요'),
  (r, w) =>
    w
      .put('렌트카 번호 ')
      .value('VEHICLE_PLATE', makeValue.VEHICLE_PLATE(r))
      .put(', 운전자 면허 ')
      .value('DRIVER_LICENSE', makeValue.DRIVER_LICENSE(r))
      .put(' 확인 바랍니다'),
  (r, w) =>
    w
      .put('세금계산서는 ')
      .value('BUSINESS_NUMBER', makeValue.BUSINESS_NUMBER(r))
      .put(' (주)한빛상사 앞으로, 메일은 ')
      .value('EMAIL', makeValue.EMAIL(r)),
  (r, w) =>
    w
      .put('주문 20240611-00')
      .put(r.digits(4))
      .put(' 환불 부탁드려요. 국민은행 ')
      .value('BANK_ACCOUNT', `${r.digits(6)}-04-${r.digits(6)}`)
      .put(' 예금주 ')
      .value('PERSON', makeValue.PERSON(r)),
];

/** Texts with several values each. */
export function forms(seed: number, count: number): Labelled[] {
  const r = createRandom(seed);
  const kinds = [
    form,
    form,
    table,
    record,
    signature,
    (random: Random) => random.pick(messages)(random, new Writing()).done(),
  ];
  return Array.from({ length: count }, () => r.pick(kinds)(r));
}
