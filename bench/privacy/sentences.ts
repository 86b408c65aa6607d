import { type PiiType, piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { type Random, createRandom } from './random.ts';
import { brokenBusiness, brokenCard, makeValue } from './values.ts';

/** A text and the values in it, in UTF-16 units. */
export interface Labelled {
  readonly text: string;
  readonly entities: readonly { readonly type: PiiType; readonly start: number; readonly end: number }[];
}

/** Sentences around a value; `{}` is its place. Some say what it is, some leave it to the value. */
const frames: Readonly<Record<PiiType, readonly string[]>> = {
  RRN: [
    '제 주민등록번호는 {}입니다.',
    '주민번호 {}로 조회해 주세요.',
    '신청인의 주민번호({})를 확인하였습니다.',
    '{}은 본인 확인에 쓰입니다.',
    '홍보팀 직원, {}, 서울 거주',
    'Resident registration number: {}',
    '{"rrn":"{}","grade":3}',
    '세대주 등록번호 : {}',
    '가입자 정보는 {} 이며 변경할 수 없습니다.',
  ],
  FRR: [
    '외국인등록번호는 {}입니다.',
    '외국인 등록번호: {}',
    '체류자 {}의 비자를 연장한다.',
    'Alien registration number {} was verified.',
    '등록증에는 {}라고 적혀 있다.',
  ],
  DRIVER_LICENSE: [
    '운전면허번호는 {}입니다.',
    '면허증 번호 {}를 입력했다.',
    '면허: {}',
    "Driver's license {} expires soon.",
    '대여자 확인: {} (1종 보통)',
    '{}으로 등록된 면허가 취소되었다.',
  ],
  PASSPORT: [
    '여권번호는 {}입니다.',
    '여권 {}을 분실했습니다.',
    'Passport No. {}',
    'My passport number is {}.',
    '항공권 예약에 여권번호 {}가 필요하다.',
    '출국자 명단: 여권 {}',
  ],
  BANK_ACCOUNT: [
    '계좌번호는 {}입니다.',
    '국민은행 {}으로 입금해 주세요.',
    '환불 계좌: 신한 {}',
    '{} (우리은행)로 송금했습니다.',
    '급여 통장 {}를 변경하려고 합니다.',
    '카카오뱅크 {} 앞으로 보내 주세요.',
    'Please transfer it to account {}.',
    'My bank account number is {}.',
    '농협 계좌 {}에서 이체되었습니다.',
  ],
  CREDIT_CARD: [
    '카드번호는 {}입니다.',
    '신용카드 {}로 결제했습니다.',
    '{} 카드의 유효기간은 12/28입니다.',
    'My card number is {}.',
    'Charge it to {} please.',
    '결제 수단: {}',
    '고객이 {}를 불러 주었다.',
  ],
  PHONE: [
    '연락처는 {}입니다.',
    '{}으로 전화 주세요.',
    '휴대폰 {}에 문자를 보냈다.',
    '문의: {}',
    '접수처 ({}) 앞으로',
    'Call me at {}.',
    '담당자 {}, 부재 시 메모를 남겨 주세요.',
    '내 번호 {}인데 저장해 줘.',
    '대표전화 {} / 평일 9시부터',
    '받는 분 번호는 {}이에요',
  ],
  EMAIL: [
    '메일은 {}로 보내 주세요.',
    '이메일: {}',
    '{}에서 답장이 왔다.',
    'Send it to {}, please.',
    '<{}> wrote:',
    '아이디가 {}인 계정',
    '{}입니다',
    '문의({})는 평일에만',
  ],
  ADDRESS: [
    '주소는 {}입니다.',
    '배송지: {}',
    '저는 {}에 살고 있습니다.',
    '본사는 {}에 있다.',
    '소재지 {}',
    '{}로 이사했다.',
  ],
  PERSON: [
    '제 이름은 {}입니다.',
    '담당자: {}',
    '{} 과장님께 전달해 주세요.',
    '{} 씨가 회의에 참석했다.',
    '성명 {}',
    '예금주 {}',
    '{}님, 안녕하세요.',
    '저는 {}이라고 합니다.',
    '{} 교수의 논문을 읽었다.',
  ],
  BUSINESS_NUMBER: [
    '사업자등록번호: {}',
    '사업자번호 {}로 발행해 주세요.',
    '공급자 {} 상호 한빛상사',
    'Business registration number {}',
    '거래처 {}의 세금계산서',
    '{}은 폐업한 곳이다.',
  ],
  CORPORATE_NUMBER: [
    '법인등록번호 {}',
    '법인번호는 {}입니다.',
    '등기부의 법인 {}를 확인했다.',
    'Corporate registration no. {}',
  ],
  HEALTH_INSURANCE: ['건강보험증번호는 {}입니다.', '건강보험 {} 가입자', '보험증 번호: {}', 'Health insurance card {}'],
  VEHICLE_PLATE: [
    '차량번호는 {}입니다.',
    '{} 차량을 이동해 주세요.',
    '주차 등록: {}',
    '번호판 {}인 승용차',
    '견인된 차: {}',
  ],
  IP: [
    '접속 IP는 {}입니다.',
    '서버 {}에 연결할 수 없다.',
    'from {} port 22',
    'client {} requested /index.html',
    '{} 주소를 차단했다.',
  ],
  MAC: ['MAC 주소는 {}입니다.', '단말 {}가 등록되었다.', 'device {} joined the network', '물리적 주소: {}'],
  IBAN: ['IBAN은 {}입니다.', 'Please pay to {}.', 'IBAN: {}', '해외 송금 계좌 {}'],
  SSN: ['My SSN is {}.', 'Social security number: {}', '그의 미국 사회보장번호는 {}이다.', 'SSN {} on file'],
  IMEI: ['IMEI {}', '단말기 고유번호(IMEI)는 {}입니다.', 'The device IMEI is {}.', '분실폰 IMEI: {}'],
  CRYPTO_WALLET: ['지갑 주소는 {}입니다.', 'Send the coins to {}.', '{}로 전송했다.', 'wallet={}'],
  SECRET: ['API 키는 {}입니다.', 'export TOKEN={}', 'Authorization: Bearer {}', '{"key":"{}"}', '로그에 {}가 남았다.'],
};

/** What looks like a value and is none. */
const decoys: readonly ((r: Random) => string)[] = [
  (r) => `주문번호 2024${r.digits(10)}을 확인해 주세요.`,
  (r) => `운송장 ${r.digits(12)} 배송이 출발했습니다.`,
  (r) => `번호 ${brokenCard(r)}는 잘못된 값이다.`,
  (r) => `${brokenBusiness(r)}는 없는 번호이다.`,
  (r) => `모델명 RT-${r.digits(3)}-${r.digits(4)}을 찾습니다.`,
  (r) => `바코드 880${r.digits(10)} 상품이 입고되었다.`,
  (r) => `2024-${10 + r.int(3)}-${10 + r.int(18)} ${10 + r.int(13)}:${10 + r.int(49)}에 저장됨`,
  (r) => `총 ${1 + r.int(9)},${r.digits(3)},${r.digits(3)}원을 지출했다.`,
  (r) => `대표번호 15${r.digits(2)}-${r.digits(4)}로 문의하세요.`,
  (r) => `버전 ${r.int(9)}.${r.int(20)}.${r.int(30)}.${r.int(9)}이 배포되었다.`,
  (r) => `제${1 + r.int(30)}조 제${1 + r.int(9)}항 ${1 + r.int(9)}호에 따라`,
  (r) => `ISBN 979-11-${r.digits(4)}-${r.digits(3)}-${r.digits(1)}`,
  (r) => `commit ${Array.from({ length: 40 }, () => r.char('0123456789abcdef')).join('')}`,
];

const wide = (text: string) =>
  text.replace(/[0-9-]/g, (char) => (char === '-' ? '－' : String.fromCharCode(char.charCodeAt(0) + 0xfee0)));
/** Ways in which the same number is typed. Only for numbers of dashes and digits. */
const disguises: readonly ((value: string) => string)[] = [
  wide,
  (value) => value.replaceAll('-', '–'),
  (value) => value.replaceAll('-', ' - '),
  (value) => Array.from(value).join('\u200b'),
  (value) => value.replace(/\d(?=\d)/g, '$& '),
  (value) => value.replaceAll('-', '‐'),
];
const disguised = new Set<PiiType>([
  'RRN',
  'FRR',
  'DRIVER_LICENSE',
  'CREDIT_CARD',
  'PHONE',
  'BANK_ACCOUNT',
  'BUSINESS_NUMBER',
]);

const asides = [
  '',
  '',
  '',
  '오늘 회의는 3시에 시작합니다. ',
  '참고로 지난 분기 매출은 12% 늘었습니다. ',
  '[2024-03-15] ',
  'Note: ',
  '1) ',
  '안녕하세요, ',
];
const endings = ['', '', '', ' 감사합니다.', ' 확인 부탁드립니다.', '\n이상입니다.', ' Thanks.'];

/** Labelled sentences of all types, about as many of each, with some that hold what only looks like a value. */
export function labelledSentences(seed: number, ofEach: number): Labelled[] {
  const r = createRandom(seed);
  const sentences: Labelled[] = [];
  for (const type of piiTypes) {
    for (let count = 0; count < ofEach; count++) {
      let value = makeValue[type](r);
      if (disguised.has(type) && /^[0-9-]+$/.test(value) && value.includes('-') && r.chance(0.15))
        value = r.pick(disguises)(value);
      const frame = r.pick(frames[type]);
      const head = r.pick(asides) + frame.slice(0, frame.indexOf('{}'));
      const text = head + value + frame.slice(frame.indexOf('{}') + 2) + r.pick(endings);
      sentences.push({ text, entities: [{ type, start: head.length, end: head.length + value.length }] });
    }
  }
  for (let count = 0; count < ofEach * 2; count++)
    sentences.push({ text: r.pick(asides) + r.pick(decoys)(r), entities: [] });
  return sentences;
}
