import { type Random, createRandom } from '../random.ts';

// Ordinary Korean sentences of the unseen set, in which nothing is anybody's: amounts, times, codes, laws, scores, versions,
// public numbers. N is a digit that is not 0 at the beginning of its run; W a word of the lists.

const lists: Readonly<Record<string, readonly string[]>> = {
  품목: '고등어 감자 배추 양파 커피 노트북 키보드 냉장고 텀블러 운동화 우산 볼펜 의자 모니터 이불 세제 휴지 라면 식용유 복사용지'.split(
    ' ',
  ),
  장소: '서울역 시청 앞 광장 낙동강 한라산 대관령 경포대 동대문시장 남부터미널 김포공항 제2여객터미널 3층 회의실 대강당 체육관 물류센터 본관 별관 지하 주차장'.split(
    ' ',
  ),
  기관: '통계청 기상청 산림청 질병관리청 한국은행 국토교통부 교육부 환경부 도서관 박물관 시의회 감사원 소비자원 우체국 철도공사'.split(
    ' ',
  ),
  사람: '담당자 참석자 수험생 승객 관람객 조합원 입주민 응답자 실무자 신입사원 연구진 자원봉사자 관계자 이용객 학부모'.split(
    ' ',
  ),
  일: '점검 회의 교육 공사 훈련 상담 발표 정산 재고조사 설문 접수 채용 감사 연수 시상식 개통식'.split(' '),
  도시: '수원 청주 전주 포항 창원 목포 강릉 여수 춘천 원주 김천 나주 통영 속초 제천'.split(' '),
  요일: '월요일 화요일 수요일 목요일 금요일 토요일 일요일'.split(' '),
};

const sentences: readonly string[] = [
  '{품목} NN개를 개당 N,NNN원에 주문했더니 합계가 NNN,NNN원이 나왔다.',
  '올해 N분기 {기관} 조사에서 응답자 N,NNN명 가운데 NN.N%가 만족한다고 답했다.',
  '{요일} 오전 N시 NN분부터 {장소}에서 {일}이 열린다.',
  '주문번호 2026NNNNNNNNNN 상품은 내일 출고될 예정입니다.',
  '송장번호 NNNNNNNNNNNN로 조회하면 현재 {도시} 허브에 있다고 나옵니다.',
  '이번 버전 N.NN.N에서는 로그인 화면의 오류 NN건을 고쳤다.',
  '제NN조 제N항에 따라 {사람}은 NN일 이내에 이의를 신청할 수 있다.',
  '기온은 NN.N도, 습도는 NN%, 강수량은 NNN.N밀리미터로 기록되었다.',
  '문서번호 총무-2026-NNNN호로 {기관}에 회신하였음',
  '{도시}행 열차는 NN시 NN분에 N번 승강장에서 출발합니다.',
  '경기는 NN 대 NN으로 끝났고 관중 NN,NNN명이 들어왔다.',
  '고객센터 대표번호는 15NN-NNNN이며 평일에만 운영합니다.',
  '긴급 상황에서는 119나 112로 신고하고 가스 누출은 1544-NNNN번으로 알린다.',
  '회의 ID는 NNN NNN NNNN이고 참여 링크는 초대장에 있습니다.',
  '부품번호 AX-NNNN-NN은 단종되어 BX-NNNN-NN으로 대체한다.',
  '우편번호 NNNNN 지역은 도서산간이라 추가 운임 N,NNN원이 붙습니다.',
  'ISBN 979-11-NNNN-NNN-N 책은 NNN쪽이고 값은 NN,NNN원이다.',
  '예산 NN억 N천만 원 중 집행률은 NN.N퍼센트에 그쳤다.',
  '{사람} NNN명이 N개 조로 나뉘어 {일}에 참여했다.',
  '2026-NN-NN 기준 재고는 {품목} N,NNN상자, 불량 NN상자입니다.',
  '비율은 N:N:N, 무게는 NNN.NN그램, 오차는 0.0NN 이하여야 한다.',
  '실험 N-N에서 얻은 값은 N.NNx10^N이며 표 N-NN에 정리했다.',
  '이 약은 하루 N회 NNN밀리그램씩 N주 동안 복용한다.',
  '{장소}까지 거리는 NN.N킬로미터, 걸어서 N시간 NN분 걸린다.',
  '좌석은 N열 NN번부터 NN번까지 비어 있고 할인율은 NN%입니다.',
  'SELECT id FROM orders WHERE total > NNNNN LIMIT NN; 이 질의는 NNN밀리초 걸렸다.',
  '빌드 NNNN번이 커밋 aNfNcNdN에서 실패했고 테스트 NNN개 중 N개가 깨졌다.',
  '인구는 NN만 N,NNN명으로 지난해보다 N,NNN명 줄었다.',
  '{기관}은 {요일}부터 {품목} 가격을 N.N% 내린다고 밝혔다.',
  '{도시} 시내버스 NN번과 NNN-N번이 {장소} 정류장에 선다.',
  '해발 N,NNN미터 대피소까지 오르는 데 NNN분이 걸렸다.',
  '공고 제2026-NNN호, 접수 기간 2026. N. NN.부터 2026. N. NN.까지',
  '화면 크기 NN.N인치, 해상도 NNNN×NNNN, 무게 N.NN킬로그램',
  '바코드 880NNNNNNNNNN을 찍으면 {품목}이 나온다.',
  '단가표의 품목코드 NNNNNN-NNNN은 {품목}을 뜻합니다.',
  '작년 {일} 비용은 N,NNN,NNN원, 올해는 NN% 늘었다.',
  '오류 코드 0xNNNNNNNN이 뜨면 기기를 껐다가 켜 주세요.',
  '환율은 1달러에 N,NNN.NN원으로 마감했다.',
  '{사람}에게 나누어 줄 자료 NNN부를 {요일}까지 인쇄해 주세요.',
  '논문 초록은 NNN자 이내로 쓰고 참고문헌은 NN편까지 단다.',
  '사건번호 2025가단NNNNNN 판결이 {요일}에 선고된다.',
  '특허 제10-NNNNNNN호는 2027년에 끝난다.',
  '시리얼 번호 SN-NNNN-NNNN-NNNN 제품은 리콜 대상이다.',
  '계좌를 새로 만들면 수수료 N,NNN원이 면제됩니다.',
  '카드 뒷면의 서명란이 지워졌다면 재발급을 신청하세요.',
  '여권 사진은 가로 N.N센티미터, 세로 N.N센티미터여야 한다.',
  '주민등록번호는 전화로 알려 주지 마십시오.',
  '운전면허 시험은 N월 NN일 {장소}에서 N차로 나누어 치른다.',
  '차량 N부제에 따라 {요일}에는 끝번호 N인 차가 쉰다.',
  '{도시} 지역 전화 국번이 세 자리로 바뀐 지 NN년이 지났다.',
  '와이파이 채널 NN번, 대역 5NNN메가헤르츠에서 가장 빨랐다.',
  '네트워크 점검은 NN시 NN분에 시작해 N시간 안에 끝납니다.',
  '서브넷 마스크와 게이트웨이는 자동으로 잡히니 손대지 마세요.',
  '{기관} 누리집 방문자는 하루 평균 NN,NNN명이다.',
  '{품목} 값이 N년 사이 N배로 뛰었다는 글이 N,NNN번 공유되었다.',
  '조립 순서: N번 나사 N개, NN번 볼트 NN개를 차례로 조인다.',
  '음악 파일은 NNN킬로비트, 길이는 N분 NN초입니다.',
  '배터리 용량 N,NNN밀리암페어시, 충전 NN와트, 방수 IPNN',
  '도로명주소는 N년 전부터 쓰고 있고 표기 방법은 안내문에 있다.',
  '이름과 연락처를 적는 칸은 비워 두어도 됩니다.',
  '담당 부서는 총무과, 마감은 {요일} NN시입니다.',
  '{사람}의 절반은 {도시}에서 왔고 나머지는 인근 군에서 왔다.',
  '김치 N포기와 이불 N채를 {장소}로 보냈다.',
  '강남 일대에 비가 와서 한강 수위가 N.N미터까지 올랐다.',
  '정성껏 준비한 {품목}을 {사람}이 모두 받아 갔다.',
  '최근 {일} 자료를 보면 이용 시간은 NN분에서 NNN분으로 늘었다.',
  '조용한 {장소}에서 {일}을 하니 집중이 잘되더라고요.',
  '임시 번호판은 NN일 동안만 쓸 수 있습니다.',
  '신호 주기는 NNN초, 보행 시간은 NN초로 조정했다.',
  'v2.NN과 v3.N 사이에서는 설정 파일이 서로 맞지 않습니다.',
  '표본 N,NNN개의 표준편차는 N.NNN, 유의수준은 0.0N이다.',
  '이메일 제목은 NN자 안으로 줄이고 골뱅이(@)는 쓰지 마세요.',
  '트위터 계정 @seoulnews_NN에 올라온 {품목} 사진이 화제다.',
  '환자안전 지침 N판은 손 씻기 N단계를 권한다.',
  '리터당 연비 NN.N킬로미터, 최고 출력 NNN마력',
  '타임스탬프 17NNNNNNNN은 2026년의 어느 날이다.',
  '합성 번호 NNNN-NNNN은 모델 이름이지 다른 뜻이 없다.',
  '상담 예약은 N월 N일(목) NN:NN, 장소는 {장소}입니다.',
  '환승역까지 N개 역이 남았고 도착 예정은 NN:NN:NN이다.',
  '{품목} 세 상자를 {요일} 저녁에 {장소} 앞에 두겠습니다.',
];

/** Runs of N as numbers without a 0 at their beginning; the words of a list for its name. */
function fill(random: Random, template: string): string {
  return template
    .replace(/\{([가-힣]+)\}/g, (_whole, name: string) => random.pick(lists[name] ?? []))
    .replace(/(?<![A-Z])N+/g, (run) => `${1 + random.int(9)}${random.digits(run.length - 1)}`);
}

export function unseenOrdinary(seed: number, count: number): string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, at) => fill(random, sentences[at % sentences.length] ?? ''));
}
