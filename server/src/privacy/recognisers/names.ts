// Parts of Korean and English names.

/** Family names of one syllable that cover nearly everybody. Source: census of Statistics Korea. */
export const surnames: ReadonlySet<string> = new Set(
  '김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민류나진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용예봉경사부',
);

/** Family names of two syllables. */
export const longSurnames: ReadonlySet<string> = new Set([
  '남궁',
  '황보',
  '제갈',
  '선우',
  '독고',
  '사공',
  '서문',
  '동방',
]);

/** Syllables that given names are made of. */
export const givenSyllables: ReadonlySet<string> = new Set(
  '가강건겸결경계고관광교구국권규균근금기길나남내노누다단담대덕도동두라란람래려련령례로록루류륜률리린림만명모무묵문미민범병보복봉부비빈사산삼상새샘서석선설섭성세소솔송수숙순슬승시신실아안애양언여연열영예오옥온완용우욱운웅원월유윤율으은음의이익인일임자장재전정제조종주준중지진찬창채천철청초춘충치태택평표하학한해향헌혁현형혜호홍화환황효후훈휘흠희힘롬름빛봄별늘벼롱힐엘솜식배람결온솔필점갑분득돈곤엽업협룡니랑칠팔울달',
);

/** Words of two to four syllables that have the form of a name. */
export const notNames: ReadonlySet<string> = new Set(
  '이용자 고객님 관리자 담당자 사용자 신청자 연구원 조합원 주주님 대표자 임직원 전문가 정규직 이사장 이사회 부장님 주문자 지원자 신입생 유학생 장학생 전임자 현장소 안내문 이메일 홈페이 조사원 지도자 고등학 주민등 신분증 여권번 유권자 전화번 주소지 소유자 수신자 방문자 지역주 하나은 우리은 국민은 기업은 신한은 고용주 노동자 구매자 배송지 장애인 변호인 의료진 이번주 지난주 한국인 조선인 중국인 미국인 외국인 공무원 선생님 사장님 회장님 교수님 신청인 정보주 송신자 연락처 성명서 고객명 어르신 여러분 선수단 소비자 피해자 지배인 안내원 상담원 상담사 간호사 변호사 회계사 세무사 영양사 기술사 도서관 박물관 기념일 공휴일 조직도 인사부 인사팀 영업부 영업팀 총무부 총무팀 기획부 기획팀 홍보부 홍보팀 재무팀 법무팀 전산팀 보안팀 개발자 기획자 설계자 신규자 이용객 기사님 원장님 국장님 지점장 은행장 위원장 본부장 연구소 서비스 하반기 상반기 전반기 정기적 이상의 이하의 이전의 이후의 고정적 지속적 주기적 유지보 시스템 소프트 나이 주소 전화 성별 국적 소속 전공 은행 여권 고향 주민 연도 연령 남녀 우편 문의 안내 신청 구분 제목 기한 기간 금액 한도 배송 주문 전달 고객 이유 사유 장소 방문 차량 기관 도시 지역 신규 이전 변경 이상 임시 정보 정기 서명 인원 반려 전표 장비 공정 지사 지점 이미지 전주시 여주시 나주시 주기 조직 경력 이력 학력 전형 이름 성함 본인 배우자 자녀 부친 모친 세대주 국민 우리 하나 기업 신한 농협 수신 발신 참조 고객명 환자명 예금주 전원 인천 안산 고양 부천 안동 원주 전남 경남 충남 공급자 수취인 수령인 부가세 도로명 지번 상세주 하나라 경조사 장학금 유치원 지하철 공모전 서울시 경기도 전라도 경상도 고속도 강연회 송년회 신년회 문화제 기록지 안내지 우선순 방송사 신문사 출판사 여행사'.split(
    ' ',
  ),
);

/** Family names as they are written in Latin letters. */
export const romanSurnames =
  'Kim|Lee|Yi|Rhee|Park|Bak|Pak|Choi|Choe|Jung|Jeong|Chung|Cheong|Kang|Gang|Cho|Jo|Yoon|Yun|Jang|Chang|Lim|Im|Han|Oh|Seo|Suh|Shin|Sin|Kwon|Gwon|Hwang|Ahn|An|Song|Jeon|Jun|Hong|Yoo|Yu|Ryu|Ko|Koh|Go|Moon|Mun|Yang|Son|Sohn|Bae|Baek|Paik|Heo|Hur|Huh|Nam|Shim|Sim|Noh|Roh|Ha|Kwak|Gwak|Sung|Seong|Cha|Joo|Ju|Woo|Koo|Gu|Min|Na|Ji|Jin|Um|Eom|Chae|Won|Cheon|Bang|Gong|Hyun|Namgung|Hwangbo|Jegal';

/** First names that are common in English texts. */
export const firstNames: ReadonlySet<string> = new Set(
  'James John Robert Michael William David Richard Joseph Thomas Charles Christopher Daniel Matthew Anthony Donald Steven Paul Andrew Joshua Kenneth Kevin Brian George Edward Ronald Timothy Jason Jeffrey Ryan Jacob Gary Nicholas Eric Jonathan Stephen Larry Justin Scott Brandon Benjamin Samuel Gregory Frank Alexander Raymond Patrick Jack Dennis Jerry Tyler Aaron Jose Henry Adam Douglas Nathan Peter Zachary Kyle Walter Ethan Jeremy Harold Keith Christian Roger Noah Gerald Carl Terry Sean Austin Arthur Lawrence Jesse Dylan Bryan Joe Jordan Billy Bruce Albert Willie Gabriel Logan Alan Juan Wayne Roy Ralph Randy Eugene Vincent Russell Louis Philip Bobby Johnny Bradley Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Lisa Nancy Betty Margaret Sandra Ashley Kimberly Emily Donna Michelle Carol Amanda Dorothy Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia Kathleen Amy Angela Shirley Anna Brenda Pamela Emma Nicole Helen Samantha Katherine Christine Debra Rachel Carolyn Janet Catherine Maria Heather Diane Ruth Julie Olivia Joyce Virginia Victoria Kelly Lauren Christina Joan Evelyn Judith Megan Andrea Cheryl Hannah Jacqueline Martha Gloria Teresa Ann Sara Madison Frances Kathryn Janice Jean Abigail Alice Julia Judy Sophia Grace Denise Amber Doris Marilyn Danielle Beverly Isabella Theresa Diana Natalie Brittany Charlotte Marie Kayla Alexis Lori Jane Oliver Liam Mia Lucas Ava Leo Chloe Oscar Ella Max Lily Isaac Zoe Simon Claire Ian Alex Chris Sam Tom Bob Jim Mike Dave Steve Kate Anne'.split(
    ' ',
  ),
);
