// Words that mean the same to those who work in Korean public administration, and spellings of loan words. Written for this project; names of
// agencies as 정부조직법 has them, terms as their laws shorten them by 이하 "…"라 한다.

/** Each line is a set: what is looked for by one of its words is found by the others. */
const administration = `
과기부, 과기정통부, 과학기술정보통신부
행안부, 행정안전부
기재부, 기획재정부
국토부, 국토교통부
복지부, 보건복지부
고용부, 노동부, 고용노동부
산업부, 산자부, 산업통상자원부
중기부, 중소벤처기업부
농식품부, 농림축산식품부
해수부, 해양수산부
문체부, 문화체육관광부
여가부, 여성가족부
식약처, 식품의약품안전처
인사처, 인사혁신처
권익위, 국민권익위원회
공정위, 공정거래위원회
금융위, 금융위원회
방통위, 방송통신위원회
개인정보위, 개인정보보호위원회
선관위, 중앙선거관리위원회
질병청, 질병관리청
국정원, 국가정보원
인권위, 국가인권위원회
건보공단, 국민건강보험공단
연금공단, 국민연금공단
지자체, 지방자치단체
광역단체, 광역자치단체
기초단체, 기초자치단체
행감, 행정사무감사
국감, 국정감사
국조, 국정조사
예결위, 예산결산특별위원회
상임위, 상임위원회
추경, 추가경정예산
산재, 산업재해
산재보험, 산업재해보상보험
산안법, 산업안전보건법
중처법, 중대재해법, 중대재해처벌법, 중대재해처벌등에관한법률
청탁금지법, 김영란법
정보공개법, 공공기관의정보공개에관한법률
개보법, 개인정보보호법
근기법, 근로기준법
국가계약법, 국가를당사자로하는계약에관한법률
지방계약법, 지방자치단체를당사자로하는계약에관한법률
노조법, 노동조합및노동관계조정법
남녀고용평등법, 남녀고용평등과일가정양립지원에관한법률
연가, 연차, 연차휴가
육휴, 육아휴직
출휴, 출산휴가, 출산전후휴가
재택근무, 원격근무
초근, 초과근무, 시간외근무
법카, 법인카드
업추비, 업무추진비
특활비, 특수활동비
인수인계, 사무인계
기안, 기안문
품의, 품의서
전결, 위임전결
주민번호, 주민등록번호
등본, 주민등록등본, 주민등록표등본
인감, 인감증명, 인감증명서
사업자번호, 사업자등록번호
기초수급자, 기초생활수급자, 국민기초생활보장수급자
차상위, 차상위계층
한부모, 한부모가족
장애인증, 장애인등록증
부가세, 부가가치세, vat
종소세, 종합소득세
종부세, 종합부동산세
양도세, 양도소득세
4대보험, 사대보험, 사회보험
건보, 건강보험, 국민건강보험
국연, 국민연금
최저시급, 최저임금
그린벨트, 개발제한구역
예타, 예비타당성조사
환평, 환경영향평가
스쿨존, 어린이보호구역
공익신고, 내부고발
전자정부, 디지털정부
공공데이터, 오픈데이터
제안서, 제안요청서, rfp
과업지시서, 과업내용서
준공, 완공
`;

/** Words of other languages, and their letters. */
const letters = `
ai, 인공지능, 에이아이
wifi, wi-fi, 와이파이, 무선랜
ict, 정보통신기술
iot, 사물인터넷
llm, 거대언어모델, 대규모언어모델, 초거대언어모델
api, 응용프로그램인터페이스
vpn, 가상사설망
pc, 피시, 개인용컴퓨터
usb, 유에스비
pdf, 피디에프
email, e-mail, 이메일, 전자우편
password, 패스워드, 비밀번호, 암호
id, 아이디
login, 로그인
homepage, 홈페이지, 누리집
website, 웹사이트
online, 온라인
offline, 오프라인
server, 서버
cloud, 클라우드
data, 데이터
database, db, 데이터베이스
big data, 빅데이터
blockchain, 블록체인
chatbot, 챗봇
mou, 업무협약, 양해각서
kpi, 핵심성과지표
esg, 환경사회지배구조
cctv, 시시티브이, 폐쇄회로텔레비전
ceo, 최고경영자, 대표이사
r&d, 연구개발
sw, software, 소프트웨어
hw, hardware, 하드웨어
qr, 큐알
faq, 자주묻는질문
`;

/** Spellings of one loan word, the standard one first: they stand in longer words as well. Source: 외래어 표기법 (국립국어원). */
const spellings = `
메시지, 메세지
콘텐츠, 컨텐츠
워크숍, 워크샵
리더십, 리더쉽
멤버십, 멤버쉽
액세서리, 악세사리
애플리케이션, 어플리케이션
데이터, 데이타
디지털, 디지탈
센터, 센타
배터리, 밧데리, 배타리
카탈로그, 카달로그
팸플릿, 팜플렛, 팜플릿
파일럿, 파일롯
콘퍼런스, 컨퍼런스
콘크리트, 컨크리트
컨테이너, 콘테이너
프레젠테이션, 프리젠테이션
스케줄, 스케쥴
매뉴얼, 메뉴얼
네트워크, 네트웍
서비스, 써비스
심포지엄, 심포지움
알코올, 알콜
앙케트, 앙케이트
에어컨, 에어콘
테이프, 테잎
타깃, 타겟
로켓, 로케트
라이선스, 라이센스
마니아, 매니아
다이내믹, 다이나믹
슈퍼마켓, 수퍼마켓
터미널, 터미날
플래카드, 플랭카드, 플랜카드
엔터테인먼트, 엔터테이먼트
`;

const setsOf = (lines: string): string[][] =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.split(',').map((word) => word.trim()));

/** Sets of whole words. */
export const starterSets: readonly (readonly string[])[] = setsOf(administration + letters);
/** Sets of spellings, which are parts of words too. */
export const starterSpellings: readonly (readonly string[])[] = setsOf(spellings);
