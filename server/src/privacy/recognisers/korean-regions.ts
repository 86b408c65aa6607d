// Names of the places that addresses begin with. Source: administrative districts of the Korean ministry of the interior.

/** Provinces and cities of their rank, in full and in short. */
export const provinces: ReadonlySet<string> = new Set(
  '서울특별시 서울시 서울 부산광역시 부산시 부산 대구광역시 대구시 대구 인천광역시 인천시 인천 광주광역시 광주시 광주 대전광역시 대전시 대전 울산광역시 울산시 울산 세종특별자치시 세종시 세종 경기도 경기 강원특별자치도 강원도 강원 충청북도 충북 충청남도 충남 전북특별자치도 전라북도 전북 전라남도 전남 경상북도 경북 경상남도 경남 제주특별자치도 제주도 제주'.split(
    ' ',
  ),
);

const cities =
  '수원 성남 의정부 안양 부천 광명 평택 동두천 안산 고양 과천 구리 남양주 오산 시흥 군포 의왕 하남 용인 파주 이천 안성 김포 화성 광주 양주 포천 여주 춘천 원주 강릉 동해 태백 속초 삼척 청주 충주 제천 천안 공주 보령 아산 서산 논산 계룡 당진 전주 군산 익산 정읍 남원 김제 목포 여수 순천 나주 광양 포항 경주 김천 안동 구미 영주 영천 상주 문경 경산 창원 진주 통영 사천 김해 밀양 거제 양산 제주 서귀포';
const counties =
  '연천 가평 양평 홍천 횡성 영월 평창 정선 철원 화천 양구 인제 고성 양양 보은 옥천 영동 증평 진천 괴산 음성 단양 금산 부여 서천 청양 홍성 예산 태안 완주 진안 무주 장수 임실 순창 고창 부안 담양 곡성 구례 고흥 보성 화순 장흥 강진 해남 영암 무안 함평 영광 장성 완도 진도 신안 군위 의성 청송 영양 영덕 청도 고령 성주 칠곡 예천 봉화 울진 울릉 의령 함안 창녕 고성 남해 하동 산청 함양 거창 합천 강화 옹진 달성 기장 울주';
const wards =
  '종로 용산 성동 광진 동대문 중랑 성북 강북 도봉 노원 은평 서대문 마포 양천 강서 구로 금천 영등포 동작 관악 서초 강남 송파 강동 영도 부산진 동래 해운대 사하 금정 연제 수영 사상 수성 달서 미추홀 연수 남동 부평 계양 광산 유성 대덕 장안 권선 팔달 영통 수정 중원 분당 만안 동안 원미 소사 오정 상록 단원 덕양 일산동 일산서 처인 기흥 수지 상당 서원 흥덕 청원 동남 서북 완산 덕진 의창 성산 마산합포 마산회원 진해';
const plainWards = '중구 동구 서구 남구 북구';

const named = (names: string, suffix: string) => names.split(' ').map((name) => name + suffix);

/** Cities, counties and wards with what they end with. */
export const districts: ReadonlySet<string> = new Set([
  ...named(cities, '시'),
  ...named(counties, '군'),
  ...named(wards, '구'),
  ...plainWards.split(' '),
]);
