import type { PiiType } from '@ai-studio/contract/utilities/privacy.ts';
import { createRandom } from './random.ts';
import type { Labelled } from './sentences.ts';
import { makeValue } from './values.ts';

// Everyday writing: counters, help desks, chats, logs. These were written last, and measured before any rule knew them.

const frames: Readonly<Partial<Record<PiiType, readonly string[]>>> = {
  RRN: [
    '고객센터 상담 내용: 본인확인 위해 {} 받음',
    '회원가입 시 입력된 값 {}',
    '가족관계: 배우자 {} / 자녀 {}',
    '{}번으로 등록된 사람 찾아줘',
    '환자등록 {} 내과 접수',
    '연말정산 부양가족 {}',
    '2023년 입사자 주민 {}',
    '"ssn_kr": "{}"',
    '아래 번호로 신원조회 부탁해\n{}',
    '제 민증 번호 {} 이거 맞죠?',
    'ID({}) / PW 분실',
    'Korean ID number {} on the contract',
    '민원인 {}, 민원내용: 도로 파손',
    '수급자 {}에게 지급',
    "SELECT * FROM users WHERE rrn = '{}';",
    '피보험자: 45세 남 {}',
  ],
  FRR: [
    '외국인 근로자 {} 고용신고',
    '체류자격 E-9, {}',
    '거소신고번호 {}',
    'ARC number: {}',
    '등록외국인 기록 {} 열람',
  ],
  DRIVER_LICENSE: [
    '1종보통 {} 갱신 대상',
    '면허 취소자 명단: {}',
    '운전자 확인 {} 정상',
    '쏘카 가입용 면허증 {} 등록했어요',
    'license no {} (KR)',
  ],
  PASSPORT: [
    '여권 {} 만료일 2030-01-01',
    '탑승객 여권번호 {} / 좌석 12A',
    'Passport# {}',
    'pp no. {} issued in Seoul',
    '비자 신청: 여권({})',
    '여권을 잃어버렸는데 번호가 {} 였어요',
  ],
  BANK_ACCOUNT: [
    '하나은행 {} 이OO',
    '월세는 매달 {} 여기로 넣어주시면 돼요 (농협)',
    '가상계좌 {} 입금기한 오늘까지',
    '자동이체 출금계좌를 {}로 변경 요청',
    '돈 보낼 곳: 기업은행 {}',
    '모임통장 {} 회비 3만원',
    'wire to KB Kookmin {}',
    '보증금 반환 받을 계좌 {} 입니다',
    '케이뱅크 {}으로 부탁',
  ],
  CREDIT_CARD: [
    '{} 만료 05/27 cvc 332',
    '체크카드 분실신고합니다 {}',
    '등록된 결제수단 {} 삭제해줘',
    'visa {}',
    'AMEX/VISA 번호 {} 승인 거절',
    '할부 3개월 {}',
    'charge card ending... full: {}',
    '{} 이 카드 왜 안되죠',
  ],
  PHONE: [
    '010으로 시작하는 {} 이 번호요',
    '택배기사님 {}',
    '긴급연락처(모) {}',
    '콜백 요청 {}',
    '발신번호 {} 스팸 신고',
    '카톡 아이디 없고 {} 로 연락',
    'ring me on {} tomorrow',
    'WhatsApp {}',
    '예약자 폰 뒷자리 말고 전체 {}',
    '사무실 {} 내선 301',
    '☎ {}',
    '📞{}',
    '부동산 {} 김실장',
    'from: {} to: 고객',
  ],
  EMAIL: [
    '{} 로 계산서 보내주세요',
    '참조: {}; {}',
    'cc {}',
    'mailto:{}',
    '계정({})이 잠겼습니다',
    '"email":"{}"',
    '문의 → {}',
    '깃허브 {} 로 초대',
    '{},{},정상',
    '관리자<{}>',
  ],
  BUSINESS_NUMBER: [
    '사업자 {} 조회 결과 정상',
    '(주)가나다 {} 대표 이',
    '현금영수증 지출증빙 {}',
    '가맹점 {}',
    'biz no {}',
    '상호: 미래상사({})',
  ],
  CORPORATE_NUMBER: ['법인 {} 등기 완료', '주식회사 법인등록 {}', '법인등기번호: {}'],
  ADDRESS: [
    '택배는 {} 경비실에',
    '사고 장소 {} 앞',
    '{} 근처 편의점',
    '이전 주소 {} 에서 전출',
    '등기부상 소재지 {}',
    '방문 주소지: {}, 오후 2시',
  ],
  PERSON: [
    '{} 사원 입사 축하',
    '결재: {} 부장',
    '{} 의원은 법안을 발의했다',
    '저는 {}입니다',
    '{} 선생님 상담 예약',
    '환자 {} 42세',
    '김 대리 말고 {} 대리요',
    '성함: {}',
    '작성자 {} 2024.05.01',
    '{} 씨는 웃었다',
    '배우 {} 씨',
  ],
  VEHICLE_PLATE: [
    '주차위반 {} 견인',
    '{} 차주분 연락 바랍니다',
    '제 차 {} 입니다',
    '택시 {} 분실물',
    '차량 {} 입차 09:00',
  ],
  IP: [
    'ssh root@{}',
    '{} - - [10/Oct/2023:13:55:36] "GET /"',
    'ping {} 응답 없음',
    '방화벽에서 {} 차단',
    'DB 호스트 {} 변경',
    'remote_addr={}',
  ],
  MAC: ['wlan0 {} associated', '공유기 MAC {} 필터', 'HWaddr {}'],
  SSN: ['US SSN: {}', 'his social security no. is {}', 'W-2 form, SSN {}'],
  IMEI: ['아이폰 IMEI {} 조회', 'imei={}', '분실신고 단말 {} '],
  IBAN: ['Überweisung an {}', 'beneficiary IBAN {}', '송금처 {} (Deutsche Bank)'],
  CRYPTO_WALLET: ['ETH/BTC 출금주소 {}', 'donate: {}', '지갑 {} 로 0.1 전송'],
  SECRET: [
    'OPENAI_API_KEY={}',
    'token: {}',
    'curl -H "Authorization: Bearer {}"',
    '키 {} 유출됨',
    'git remote https://{}@github.com/x/y',
  ],
  HEALTH_INSURANCE: ['건강보험증 {} 자격득실', '보험증번호 {} 피부양자'],
};

const before = [
  '',
  '',
  '',
  '안녕하세요. ',
  '3. ',
  '[공지] ',
  '오늘 오후 2시 30분에 ',
  '문서번호 2024-1234\n',
  'Re: ',
  '※ ',
];

/** Texts of all these frames, so many of each; `{}` is the place of a value. */
export function everyday(seed: number, ofEach: number): Labelled[] {
  const r = createRandom(seed);
  const texts: Labelled[] = [];
  for (const [type, list] of Object.entries(frames) as [PiiType, readonly string[]][]) {
    for (const frame of Array.from({ length: ofEach }, () => list).flat()) {
      const [first = '', ...rest] = frame.split('{}');
      let text = r.pick(before) + first;
      const entities = rest.map((behind) => {
        const value = makeValue[type](r);
        const start = text.length;
        text += value + behind;
        return { type, start, end: start + value.length };
      });
      texts.push({ text, entities });
    }
  }
  return texts;
}
