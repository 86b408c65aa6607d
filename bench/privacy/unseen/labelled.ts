import type { PiiType } from '@ai-studio/contract/utilities/privacy.ts';
import { type Random, createRandom } from '../random.ts';
import type { Labelled } from '../sentences.ts';
import { foreignPhone, koreanPhone, mail, makers } from './numbers.ts';
import { englishAddress, englishName, koreanAddress, koreanName } from './people.ts';

// Labelled sentences of the second, unseen set: what people write to a help desk, in offices, chats, files and logs.
// TYPE in braces is a value; KNAME, ENAME, KADDR, EADDR, FPHONE are names, addresses and phones of one language.

const makeOf: Readonly<Record<string, readonly [PiiType, (random: Random) => string]>> = {
  ...Object.fromEntries(Object.entries(makers).map(([type, make]) => [type, [type as PiiType, make] as const])),
  KNAME: ['PERSON', koreanName],
  ENAME: ['PERSON', englishName],
  KADDR: ['ADDRESS', koreanAddress],
  EADDR: ['ADDRESS', englishAddress],
  FPHONE: ['PHONE', foreignPhone],
  KPHONE: ['PHONE', koreanPhone],
  MAIL: ['EMAIL', mail],
};

const templates: readonly string[] = [
  // Resident and foreigner numbers
  '본인 확인을 위해 주민등록번호 {RRN}을 입력했는데 오류가 납니다.',
  '배우자 주민번호가 {RRN}인데 피부양자 등록이 되나요?',
  '연말정산 부양가족란에 {RRN} 적으면 되는 거죠',
  '[상담기록] 고객 생년월일 및 주민번호 뒷자리 확인 완료: {RRN}',
  '첨부 서류상 주민등록번호: {RRN}, 유효기간 만료',
  '아이 주민번호 알려드려요~ {RRN} 이에요!',
  'Her Korean resident registration number is {RRN}, please keep it private.',
  '주민(외국인)등록번호\n{RRN}',
  '외국인등록번호 {FRR}로 조회가 안 된다고 합니다',
  '체류자격 변경 신청자(외국인등록증 {FRR}) 건 처리 부탁드립니다.',
  '등록외국인 {FRR}의 체류지 변경 신고를 접수함',
  'alien registration no. {FRR} expires next spring',
  // Licences, passports
  '운전면허번호 {DRIVER_LICENSE} 갱신하려면 뭐가 필요해요?',
  '렌터카 예약자 면허증 번호는 {DRIVER_LICENSE}이며 2종 보통입니다.',
  '면허 {DRIVER_LICENSE} 정지 기간이 끝났는지 확인 바랍니다',
  '항공권 발권용 여권번호 {PASSPORT} 입니다.',
  '여권 {PASSPORT}, 만료일 2031년 5월',
  'My passport number is {PASSPORT}, issued in Seoul.',
  '출국자 명단: 여권번호={PASSPORT}',
  // Accounts
  '환불은 국민은행 {BANK_ACCOUNT} 예금주 {KNAME}으로 부탁드려요.',
  '급여 계좌를 카카오뱅크 {BANK_ACCOUNT}로 바꿔 주세요.',
  '우리은행 계좌 {BANK_ACCOUNT}에서 자동이체가 두 번 빠졌어요',
  '입금계좌: 농협 {BANK_ACCOUNT}',
  '모임 회비는 {BANK_ACCOUNT} 신한은행으로 오늘까지 입금해 주세요',
  'Please wire the refund to my bank account {BANK_ACCOUNT} (Hana Bank).',
  // Cards
  '카드번호 {CREDIT_CARD} 분실 신고합니다.',
  '어제 {CREDIT_CARD} 카드로 결제한 건 취소해 주세요',
  '법인카드({CREDIT_CARD})로 결제했고 영수증은 첨부합니다.',
  'The charge on {CREDIT_CARD} was declined twice.',
  '{"card":"{CREDIT_CARD}","exp":"09/28"}',
  'Visa ending soon: {CREDIT_CARD}, please update it in the portal.',
  // Phones
  '연락처는 {KPHONE}이고 오후에는 통화가 어렵습니다.',
  '{KPHONE}으로 문자 남겨주시면 바로 전화드릴게요',
  '담당자 직통 {KPHONE}',
  '배송 전에 {KPHONE} 로 꼭 연락 주세요.',
  '제 번호 {KPHONE} 저장해 두세요 ㅎㅎ',
  '문의처 ☎ {KPHONE}',
  '휴대전화 {KPHONE}에서 온 스팸을 신고합니다',
  '(비상연락망) {KNAME} 팀장 {KPHONE}',
  'tel:{KPHONE}',
  '엄마 전화번호가 {KPHONE}에서 {KPHONE}으로 바뀌었대',
  'Call me back at {FPHONE} after five.',
  'Our London office can be reached on {FPHONE}.',
  'Korean mobile {KPHONE} is already registered to another account.',
  // Mail
  '세금계산서는 {MAIL}로 보내주세요.',
  '{MAIL} 계정이 잠겼습니다. 풀어주세요',
  '메일 주소를 {MAIL}에서 {MAIL}로 변경 요청드립니다.',
  'cc: {MAIL}; {MAIL}',
  'From: "{ENAME}" <{MAIL}>',
  'Drop a line to {MAIL}, not to the shared inbox.',
  '문의: {MAIL}.',
  '회신이 없어서({MAIL}) 다시 여쭙니다',
  // Companies
  '사업자등록번호 {BUSINESS_NUMBER}, 업태 도소매',
  '거래처 사업자번호는 {BUSINESS_NUMBER}입니다. 휴폐업 조회 부탁해요.',
  '공급자 {BUSINESS_NUMBER} 상호 한빛상사',
  '법인등록번호: {CORPORATE_NUMBER}',
  '당사의 법인번호 {CORPORATE_NUMBER}를 계약서에 기재합니다',
  // Health insurance, plates, devices
  '건강보험증 번호 {HEALTH_INSURANCE}로 자격 조회',
  '건강보험증번호가 {HEALTH_INSURANCE} 맞으신가요?',
  '주차 등록 차량 {VEHICLE_PLATE} 흰색 쏘나타',
  '{VEHICLE_PLATE} 차주님 차 좀 빼주세요',
  '사고 상대 차량번호는 {VEHICLE_PLATE}입니다.',
  '접속 IP {IP}에서 로그인 실패 12회',
  'Failed password for root from {IP} port 50312 ssh2',
  '{IP} - - [12/Mar/2026:10:11:12 +0900] "GET / HTTP/1.1" 200 512',
  'DHCP lease for {MAC} renewed',
  '단말 MAC 주소 {MAC} 차단 해제 요청',
  'Beneficiary IBAN: {IBAN}',
  '독일 지사로 송금할 IBAN은 {IBAN}입니다.',
  'My social security number is {SSN}.',
  'SSN {SSN} does not match the name on file',
  '분실폰 IMEI {IMEI} 신고',
  'The IMEI of the handset is {IMEI}.',
  'Send 0.2 BTC or ETH to {CRYPTO_WALLET}',
  '지갑 주소 {CRYPTO_WALLET}로 출금 신청했습니다',
  'api_key = "{SECRET}"',
  '토큰이 노출된 것 같아요: {SECRET}',
  'curl -H "Authorization: Bearer {SECRET}" https://api.example.org/v1',
  // Names and addresses
  '안녕하세요, 저는 {KNAME}입니다.',
  '{KNAME} 고객님, 주문하신 상품이 출고되었습니다.',
  '수신: {KNAME} 귀하',
  '담당 {KNAME} 대리에게 전달 바랍니다.',
  '성명 {KNAME}, 연락처 {KPHONE}',
  '배송지는 {KADDR}입니다.',
  '주소: {KADDR}, 받는 분 {KNAME}',
  '지난달에 {KADDR}로 이사했어요',
  'My name is {ENAME} and I live at {EADDR}.',
  'Ship it to {EADDR}, please.',
  'Dear Mr. {ENAME}, thank you for your letter.',
  'Patient: {ENAME}, SSN: {SSN}',
  // Several in one
  '성명\t주민번호\t전화\n{KNAME}\t{RRN}\t{KPHONE}',
  '이름,연락처,이메일\n{KNAME},{KPHONE},{MAIL}',
  '{"name":"{KNAME}","rrn":"{RRN}","email":"{MAIL}","phone":"{KPHONE}"}',
  '신청인 {KNAME}({RRN})은 {KADDR}에 거주하며 연락처는 {KPHONE}이다.',
  '<tr><td>{KNAME}</td><td>{KPHONE}</td><td>{MAIL}</td></tr>',
  '[2026-04-02 13:22:10] user={MAIL} ip={IP} phone={KPHONE} 결제 실패',
  '계약자: {KNAME} / 계좌: 하나은행 {BANK_ACCOUNT} / 카드 {CREDIT_CARD}',
  '법인명 한결소프트 사업자 {BUSINESS_NUMBER} 대표 {KNAME} 주소 {KADDR}',
  '- 면허: {DRIVER_LICENSE}\n- 여권: {PASSPORT}\n- 차량: {VEHICLE_PLATE}',
];

const FILLER = [
  '',
  '',
  '',
  '',
  '참고로 ',
  '급합니다. ',
  '안녕하세요. ',
  '문의드립니다! ',
  'FYI: ',
  '> ',
  '1) ',
  '• ',
  '네, ',
  '혹시 ',
];
const TAIL = [
  '',
  '',
  '',
  '',
  ' 감사합니다.',
  ' 확인 부탁드려요',
  '\n',
  ' (2026.3.2 기준)',
  ' 처리 기한은 7일입니다.',
  ' ^^',
];

const FULL = '０１２３４５６７８９';
/** Some values as phones and word processors write them. */
function dressed(random: Random, value: string, type: PiiType): string {
  if (!random.chance(0.05) || !['RRN', 'FRR', 'PHONE', 'CREDIT_CARD'].includes(type)) return value;
  return random.chance(0.5)
    ? value.replace(/\d/g, (digit) => FULL.charAt(Number(digit)))
    : value.replaceAll('-', random.pick(['–', '‑', '－', '‐']));
}

function fill(random: Random, template: string): Labelled {
  const entities: { type: PiiType; start: number; end: number }[] = [];
  let text = random.pick(FILLER);
  let done = 0;
  for (const { 0: slot, 1: name = '', index } of template.matchAll(/\{([A-Z_]+)\}/g)) {
    text += template.slice(done, index);
    done = index + slot.length;
    const made = makeOf[name];
    if (!made) throw new Error(`no value is called ${name}`);
    const [type, make] = made;
    const value = dressed(random, make(random), type);
    entities.push({ type, start: text.length, end: text.length + value.length });
    text += value;
  }
  return { text: text + template.slice(done) + random.pick(TAIL), entities };
}

/** So many sentences of each template. */
export function unseenSentences(seed: number, ofEach: number): Labelled[] {
  const random = createRandom(seed);
  return templates.flatMap((template) => Array.from({ length: ofEach }, () => fill(random, template)));
}
