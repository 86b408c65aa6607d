import { type Random, createRandom } from '../random.ts';
import type { Labelled } from '../sentences.ts';
import { fill } from './documents.ts';
import { type Values, values } from './documents-values.ts';

// Lines of messages, forms, tables and logs, with names of their own: a set that was written after the documents were measured.

const templates: readonly string[] = [
  '[Web발신] 한빛병원 {KN}님 3/14(토) 10:30 내과 예약되었습니다. 문의 {LAND}',
  '[국민은행] {KN}님 계좌({BA})에서 300,000원 출금되었습니다.',
  '{MOB}님이 보낸 메시지입니다.',
  '카카오톡 대화 내보내기',
  '[{KN}] [오후 3:12] 주민번호 {RRN} 맞나요',
  '[{KN}] [오후 3:13] 네 맞아요',
  '2026년 3월 14일 오후 3:12, {KN} : 계좌는 {BA} 농협이에요',
  '피보험자 {KN} ({RRN}) 은 2026.3.1. 교통사고로 입원함',
  '사고차량 : {VP}',
  '운전자 : {KN} ({DL})',
  '연락처 : {MOB}',
  '채권자 {KN} 은 채무자 {KN} 에게 금 1,000,000원을 대여한다.',
  '위 본인은 상기 내용에 동의합니다. 2026년 3월 14일 성명 {KN} (서명)',
  '동의자: {KN} (인)',
  '주민등록번호: {RRN}',
  '세대주 성명: {KN} / 세대원: {KN}, {KN}',
  '학생명: {KN}   학번: 30412   보호자 연락처: {MOB}',
  '3학년 2반 담임교사 {KN} 드림',
  '보내는 분 {KN} {MOB}',
  '받는 분 {KN} {MOB}',
  '{KA}',
  '수령인={KN};연락처={MOB};주소={KA}',
  '고객ID 20394 / {KN} / {RRN} / {MOB} / {EM}',
  'name: {KN}',
  'rrn: {RRN}',
  'tel: {MOB}',
  '"성명","주민등록번호","휴대전화","주소"',
  '"{KN}","{RRN}","{MOB}","{KA}"',
  '<row name="{KN}" rrn="{RRN}" phone="{MOB}"/>',
  '<input name="jumin" value="{RRN}"/>',
  'POST /member/join body={"jumin":"{RRN}","hp":"{MOB}","email":"{EM}"}',
  'MEMBER_PHONE={MOB}',
  'MEMBER_MAIL={EM}',
  "curl -d 'cardNo={CC}&exp=2908' https://pay.example/v1",
  'caused by: DuplicateKey value ({RRN}) already exists',
  "Duplicate entry '{EM}' for key 'users.email'",
  'duplicate key value violates unique constraint, Key (phone)=({MOB}) already exists.',
  'user {EM} logged in from {IP}',
  'sshd[812]: Accepted publickey for deploy from {IP} port 50122',
  'src={IP} dst={IP} proto=tcp action=drop',
  '여권정보면: 여권번호/Passport No. {PP} 성/Surname KIM',
  '{PP} (여권), {DL} (운전면허) 중 하나로 본인확인함',
  '외국인 등록번호 {FRR} 로 보험 가입 가능한가요',
  '{FRR} 외국인등록증 사본을 보내드립니다',
  '신청인(외국인) 등록번호: {FRR}',
  '사업자 {BRN} 로 세금계산서 발행 부탁드려요',
  '공급받는자: 등록번호 {BRN} 상호 (주)나래',
  '{BRN} 사업자등록증 첨부합니다',
  '법인(등록번호 {CRN})의 대표이사 {KN}',
  '법인등록번호 {CRN} / 사업자등록번호 {BRN}',
  '카드사: 신한 / 카드번호: {CC} / 승인: 00123456',
  '{CC} 이 번호로 결제했어요',
  '환불계좌 {BA} 우리은행 {KN}',
  '월세는 {BA} (하나은행, {KN}) 로 보내주세요',
  '국민은행 {BA} {KN}',
  '대표번호 말고 담당자 직통 {LAND} 로 주세요',
  'TEL {LAND} FAX {LAND}',
  'T.{LAND} F.{LAND} M.{MOB}',
  '전화:{LAND}, 팩스:{LAND}',
  '☏ {LAND}',
  '{LAND}(대표) / {LAND}(팩스)',
  '{MOB}({KN})',
  '{KN}({MOB}), {KN}({MOB})',
  '{KN} : {MOB}',
  '메일주소는 {EM} 이고 회신은 {EM} 으로',
  '<{EM}>',
  '{EM},{EM};{EM}',
  'IBAN {IBAN} 으로 EUR 송금',
  'IMEI1 {IMEI}',
  'IMEI2 {IMEI}',
  'MAC {MAC} / IP {IP}',
  'Hello, this is {EN}. My number is {FPH}.',
  'Patient Name: {EN}',
  'SSN: {SSN}',
  'Phone: {FPH}',
  'Emergency contact: {EN} ({FPH})',
  'From: {EN} <{EM}>',
  'To: {EN} <{EM}>',
  'Please charge {CC} and send the receipt to {EM}.',
  '{EN}, SSN {SSN}, {EA}',
  'cardholder {EN}, number {CC}',
  'customer_email={EM} customer_phone={FPH} ip={IP}',
];

const families = '김이박최정강조윤장임한오서신권황안송류전홍'.split('');
const givens =
  '서하 도경 명호 채영 무진 기범 해인 소담 범수 지완 은솔 가현 재경 승주 한울 보미 석현 도영 예슬 윤재 민혁 선아 태양 미진 광일 옥희 봉수 종구 달수 금자 필순 을용 정애 춘식 나은 율희 세준 건호 이현 주하'.split(
    ' ',
  );
const first =
  'Andrew Christine Peter Olivia Julia George Natalie Samuel Victoria Benjamin Grace Henry Diana Oscar Helen'.split(
    ' ',
  );
const last = 'Cooper Bennett Foster Hughes Reed Bailey Price Kelly Morgan Hayes Walsh Chen Singh Alvarez Fischer'.split(
  ' ',
);

const own: Values = {
  ...values,
  KN: ['PERSON', (random: Random) => random.pick(families) + random.pick(givens)],
  EN: ['PERSON', (random: Random) => `${random.pick(first)} ${random.pick(last)}`],
};

/** So many lines of each template. */
export function lines(seed: number, ofEach: number): Labelled[] {
  const random = createRandom(seed);
  return templates.flatMap((template) => Array.from({ length: ofEach }, () => fill(random, template, own)));
}
