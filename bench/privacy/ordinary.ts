import { type Random, createRandom } from './random.ts';

// Ordinary Korean sentences in which nobody's values stand, though many numbers, codes and words that look like parts of them do.

const organs =
  '위원회 이사회 총무팀 연구소 본부 지점 도서관 시청 구청 교육청 학교 병원 협회 조합 은행 우체국 경찰서 소방서 공단 재단 센터 박물관 출판사 신문사 방송국 연구원 기획재정부 행정안전부 국회 법원 대학교'.split(
    ' ',
  );
const people =
  '담당자 신청인 이용자 학생 주민 고객 직원 교수 연구원 대표 부장 과장 의사 간호사 기사 환자 회원 작가 감독 선수 시민 농민 어르신 아이들 전문가 관계자 참가자 발표자 심사위원 방문객 세입자 임차인 소유자 사장님 선생님 팀장님'.split(
    ' ',
  );
const things =
  '보고서 예산안 계획서 안내문 설명서 계약서 회의록 신청서 통계 자료 프로그램 시스템 장비 건물 도로 다리 공원 정책 제도 사업 행사 강의 시험 교재 소설 영화 음악 제품 부품 서비스 앱 홈페이지 서버 데이터베이스 카드 통장 여권 면허 계좌 주소 전화 자동차 버스 지하철'.split(
    ' ',
  );
/** Those whose numbers are nobody's. */
const numbered = things.filter((thing) => !/카드|통장|여권|면허|계좌|주소|전화|자동차/.test(thing));
const cities =
  '서울 부산 대구 인천 광주 대전 울산 세종 수원 춘천 청주 전주 목포 포항 창원 제주 강릉 여수 안동 김해'.split(' ');
const places = '강남구 종로구 해운대구 수성구 분당구 유성구 완산구 마포구 서초구 영등포구'.split(' ');
const adjectives =
  '새로운 오래된 중요한 복잡한 간단한 유용한 조용한 빠른 느린 커다란 작은 다양한 특별한 일반적인 현재의 지난 다음 공식적인'.split(
    ' ',
  );
const verbs =
  '검토했다 발표했다 마련했다 준비하고 있다 확대하기로 했다 줄였다 제출했다 공개했다 개선했다 논의했다 승인했다 미루었다 조사했다 정리했다 설명했다 배포했다 점검했다 수정했다 바꾸었다 신청했다 접수했다 평가했다 소개했다 운영한다 지원한다 관리한다 모집한다'.split(
    ' ',
  );
const units = '명 개 건 회 권 대 번 차례 가지 곳 쪽 장 점 위 세대 가구 킬로미터 톤 시간 분 주 개월 년 배'.split(' ');
const months = Array.from({ length: 12 }, (_, at) => `${at + 1}월`);

const year = (r: Random) => String(1950 + r.int(80));
const day = (r: Random) => `${r.pick(months)} ${1 + r.int(28)}일`;
const comma = (value: number) => value.toLocaleString('en-US');
const amount = (r: Random) =>
  r.pick([
    () => `${comma(1_000 + r.int(9_000_000))}원`,
    () => `${1 + r.int(900)}억 ${1000 + r.int(8999)}만 원`,
    () => `${1 + r.int(99)}조 ${1000 + r.int(8999)}억 원`,
    () => `$${comma(r.int(900_000))}`,
    () => `${1 + r.int(99)}만 ${1000 + r.int(8999)}원`,
  ])();
const code = (r: Random) =>
  r.pick([
    () => `RT-${r.digits(3)}-${r.digits(4)}`,
    () => `KR${r.digits(4)}-${r.digits(4)}`,
    () => `A-${r.digits(4)}-${r.digits(4)}`,
    () => `${r.digits(2)}-${r.digits(4)}-${r.digits(2)}`,
    () => `SM-G${r.digits(3)}N`,
    () => `${r.digits(4)}-${r.digits(2)}`,
    () => `제${r.digits(2)}-${r.digits(4)}호`,
    () => `P${r.digits(7)}`,
    () => `${year(r)}-${r.digits(6)}`,
    () => `ISBN 978-89-${r.digits(4)}-${r.digits(3)}-${r.digits(1)}`,
    () => `KS X ${1000 + r.int(8999)}`,
    () => `ISO ${1000 + r.int(29000)}-${1 + r.int(9)}`,
    () => `15${r.digits(2)}-${r.digits(4)}`,
    () => `1644-${r.digits(4)}`,
  ])();
const section = (r: Random) =>
  r.pick([
    () => `${1 + r.int(9)}.${1 + r.int(9)}.${1 + r.int(20)}`,
    () => `${1 + r.int(9)}.${1 + r.int(9)}.${1 + r.int(9)}.${1 + r.int(9)}`,
    () => `제${1 + r.int(120)}조`,
    () => `제${1 + r.int(120)}조 제${1 + r.int(9)}항 제${1 + r.int(9)}호`,
    () => `제${1 + r.int(12)}장`,
  ])();

/** A word with the particle that its last sound wants. */
function josa(word: string, closed: string, open: string): string {
  const last = word.charCodeAt(word.length - 1);
  const isClosed = last >= 0xac00 && last <= 0xd7a3 ? (last - 0xac00) % 28 > 0 : /[013678LMNR]$/.test(word);
  return word + (isClosed ? closed : open);
}
const topic = (word: string) => josa(word, '은', '는');
const subject = (word: string) => josa(word, '이', '가');
const object = (word: string) => josa(word, '을', '를');

const templates: readonly ((r: Random) => string)[] = [
  (r) => `${topic(r.pick(organs))} ${r.pick(adjectives)} ${object(r.pick(things))} ${r.pick(verbs)}.`,
  (r) => `${year(r)}년 ${day(r)} ${subject(r.pick(organs))} ${object(r.pick(things))} ${r.pick(verbs)}.`,
  (r) => `${topic(r.pick(people))} ${r.pick(cities)}에서 ${object(r.pick(things))} ${r.pick(verbs)}.`,
  (r) =>
    `${r.pick(cities)} ${r.pick(places)}에 있는 ${subject(r.pick(organs))} ${1 + r.int(300)}${r.pick(units)}의 ${object(r.pick(things))} ${r.pick(verbs)}.`,
  (r) => `이번 ${r.pick(things)} 예산은 ${amount(r)}으로 지난해보다 ${r.int(40)}.${r.int(10)}% 늘었다.`,
  (r) => `${section(r)}에 따라 ${topic(r.pick(people))} ${object(r.pick(things))} ${year(r)}년까지 제출해야 한다.`,
  (r) => `${r.pick(numbered)} 번호는 ${code(r)}이며 ${subject(r.pick(people))} 확인한다.`,
  (r) => `모델 ${code(r)}의 ${topic(r.pick(things))} ${r.pick(verbs)}.`,
  (r) =>
    `${r.pick(months)}부터 ${r.pick(months)}까지 ${comma(r.int(90_000))}${r.pick(units)}이 ${r.pick(cities)}를 찾았다.`,
  (r) =>
    `오후 ${1 + r.int(11)}시 ${r.int(60)}분에 ${subject(r.pick(organs))} ${r.pick(things)} 문제를 ${r.pick(verbs)}.`,
  (r) => `점수는 ${r.int(100)} 대 ${r.int(100)}, 관중은 ${comma(r.int(60_000))}명이었다.`,
  (r) =>
    `표 ${1 + r.int(9)}-${1 + r.int(20)}와 그림 ${1 + r.int(9)}-${1 + r.int(20)}을 보면 ${subject(r.pick(things))} 나아졌음을 알 수 있다.`,
  (r) => `${object(r.pick(things))} 쓰는 ${topic(r.pick(people))} 모두 ${1 + r.int(90)}${r.pick(units)}이다.`,
  (r) => `${r.pick(people)} 여러분, ${day(r)}까지 ${object(r.pick(things))} 보내 주시기 바랍니다.`,
  (r) =>
    `${r.pick(cities)}로 가는 ${r.pick(['KTX', '버스', '비행기'])} ${100 + r.int(900)}편은 ${1 + r.int(23)}시에 떠난다.`,
  (r) =>
    `문의는 ${r.pick(organs)} 대표번호 ${r.pick(['1588', '1577', '1600', '1899', '1661'])}-${r.digits(4)}로 하면 된다.`,
  (r) =>
    `${year(r)}-${String(1 + r.int(12)).padStart(2, '0')}-${String(1 + r.int(28)).padStart(2, '0')} ${r.int(24)}:${10 + r.int(49)}:${10 + r.int(49)} 처리 완료, 소요 ${r.int(9000)}ms`,
  (r) =>
    `${r.pick(people)}의 ${subject(r.pick(things))} ${year(r)}.${1 + r.int(12)}.${1 + r.int(28)}. 기준으로 ${comma(r.int(900_000))}건이다.`,
  (r) => `${topic(r.pick(people))} "${object(r.pick(things))} 다시 확인해 달라"고 말했다.`,
  (r) => `비밀번호는 영문과 숫자를 섞어 ${8 + r.int(8)}자 이상으로 정해야 한다.`,
  (r) => `계좌를 새로 만들 때 ${topic(r.pick(people))} 신분증 ${1 + r.int(3)}${r.pick(['개', '장'])}를 가져와야 한다.`,
  (r) => `${r.pick(things)}의 크기는 ${r.int(999)}x${r.int(999)}, 무게는 ${r.int(99)}.${r.int(99)}kg이다.`,
  (r) =>
    `버전 ${r.int(9)}.${r.int(20)}.${r.int(40)}에서 ${subject(r.pick(things))} 바뀌었고, ${r.int(9)}.${r.int(20)}에서 없어졌다.`,
  (r) =>
    `${r.pick(cities)}의 인구는 ${comma(100_000 + r.int(9_000_000))}명, 넓이는 ${comma(r.int(9_000))}.${r.int(99)}㎢이다.`,
  (r) => `우편번호 ${r.digits(5)} 지역의 ${topic(r.pick(things))} ${r.pick(verbs)}.`,
  (r) =>
    `${r.int(100)}호 법정에서 사건 ${year(r)}${r.pick(['가합', '고단', '나', '도'])}${r.digits(5)}의 선고가 있었다.`,
  (r) => `코드 ${code(r)}, ${code(r)}, ${code(r)} 순서로 ${object(r.pick(things))} ${r.pick(verbs)}.`,
  (r) => `특허 제10-${r.digits(7)}호는 ${r.pick(adjectives)} ${r.pick(things)}에 관한 것이다.`,
  (r) => `원주율은 3.${r.digits(15)}이고 자연상수는 2.${r.digits(12)}이다.`,
  (r) => `바코드 880${r.digits(10)}, 로트 ${r.digits(8)}, 유통기한 ${year(r)}.${1 + r.int(12)}.${1 + r.int(28)}`,
  (r) =>
    `${r.pick(things)}을 ${1 + r.int(9)}번 이상 ${r.pick(['읽은', '본', '쓴', '고친'])} ${topic(r.pick(people))} ${r.int(90)}%였다.`,
  (r) => `국도 ${1 + r.int(99)}호선과 지방도 ${100 + r.int(900)}호선이 만나는 ${r.pick(cities)} 나들목이 막힌다.`,
  (r) =>
    `타임스탬프 ${1_600_000_000 + r.int(200_000_000)}, 해시 ${Array.from({ length: 16 }, () => r.char('0123456789abcdef')).join('')}`,
  (r) => `주문번호 ${year(r)}${r.digits(10)}의 배송이 ${day(r)}에 시작되었다.`,
];

/** Sentences without any value. */
export function ordinarySentences(seed: number, count: number): string[] {
  const r = createRandom(seed);
  return Array.from({ length: count }, () => r.pick(templates)(r));
}
