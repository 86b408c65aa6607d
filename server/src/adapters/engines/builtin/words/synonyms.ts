import { stem, words } from './words.ts';

/** Words that ask for the same thing, in both languages, so that a question finds what is written otherwise. */
const groups = [
  'price cost fee charge rate 가격 비용 요금 금액 값 수수료 단가',
  'phone telephone call number contact 전화 전화번호 연락처 번호',
  'email mail e-mail 이메일 메일',
  'address location located place 주소 위치 장소 소재지',
  'headquarter hq 본사 본점',
  'date day deadline due 날짜 일자 기한 마감 마감일 기일',
  'start begin launch open opening 시작 개시 개장 출시 개통',
  'end finish expire close closing 종료 만료 끝 마감',
  'manager lead head responsible charge owner 담당자 담당 책임자 관리자 팀장',
  'ceo president chief representative 대표 대표이사 사장 회장',
  'founder found establish create founded 설립 창립 창업 설립자 창립자',
  'vacation leave holiday 휴가 연차 휴일',
  'salary pay wage payment paid 급여 월급 임금 지급 연봉',
  'staff employee worker 직원 임직원 사원 근로자',
  'shipping delivery deliver ship 배송 배달 운송',
  'refund return 환불 반품',
  'weather temperature forecast climate rain 날씨 기온 온도 예보',
  'time clock hour 시간 시각',
  'search find lookup retrieve query 검색 찾아 조회 탐색',
  'calculate calculator compute math arithmetic evaluate 계산 계산기 연산',
  'translate translation 번역',
  'stock share 주식 주가',
  'exchange currency convert conversion 환율 환전 환산 변환',
  'send dispatch 보내 발송 전송',
  'book reserve reservation booking 예약',
  'schedule calendar event meeting appointment 일정 캘린더 회의 미팅 약속',
  'create make add register 만들 생성 추가 등록',
  'delete remove cancel 삭제 제거 취소',
  'update change modify edit 수정 변경 갱신 교체 바꾸 바꾼 바꿔',
  'document file 문서 파일 자료',
  'city town 도시 시',
  'celsius centigrade 섭씨',
  'fahrenheit 화씨',
  'high urgent 높음 긴급',
  'low 낮음',
  'user customer client 사용자 고객 회원',
  'order purchase buy 주문 구매',
  'news article 뉴스 기사 소식',
  'name called 이름 성명 명칭',
  'age old 나이 연령',
  'color colour 색 색깔 색상',
  'weight heavy 무게 중량',
  'height tall 높이 키',
  'length long 길이',
  'speed fast 속도',
  'population 인구',
  'capital 수도',
  'author writer wrote write 저자 작가 지은이',
  'department team division 부서 팀',
  'duration period term 기간',
  'maximum limit max 최대 한도 상한',
  'minimum min 최소 하한',
  'percent rate percentage 비율 퍼센트 율',
  'route direction navigate 길찾기 경로',
  'light lamp 조명 전등 불',
  'turn switch 켜 꺼 끄',
  'alarm remind reminder timer 알람 알림 타이머 리마인더',
  'play music song 재생 음악 노래 틀어',
  'hotel accommodation room 호텔 숙소 객실',
  'flight plane airline 항공 항공편 비행기',
  'restaurant food 식당 맛집 음식점',
  'car vehicle automobile 차 차량 자동차',
  'leave depart departure 출발 떠나',
  'arrive arrival 도착',
  'choose select pick 뽑 선발 선정 고르 선택',
  'closed 휴관 휴무 휴업 쉬 쉬는',
  'move relocate 이전 옮기 이사',
  'outage unavailable failure down 장애 중단',
  'night 밤 야간',
  'book 책 도서 서적',
] as const;

const bySubject = new Map<string, Set<string>>();
for (const group of groups) {
  const stems = [...new Set(words(group).map(stem))];
  for (const word of stems) {
    const known = bySubject.get(word) ?? new Set<string>();
    for (const other of stems) if (other !== word) known.add(other);
    bySubject.set(word, known);
  }
}

const none: ReadonlySet<string> = new Set();

/** Stems that mean nearly the same as a stem. */
export const synonymsOf = (root: string): ReadonlySet<string> => bySubject.get(root) ?? none;
