import type { PiiType } from '@ai-studio/contract/utilities/privacy.ts';
import type { Random } from '../random.ts';
import { makers } from './numbers.ts';

// Values of the third unseen set, in the shapes that people and programs write them.

const two = (value: number) => String(value).padStart(2, '0');
const below = (random: Random, least: number, most: number) => least + random.int(most - least + 1);

const mobile = (random: Random) => {
  const middle = String(below(random, 2000, 9999));
  const last = random.digits(4);
  return random.pick([
    () => `010-${middle}-${last}`,
    () => `010-${middle}-${last}`,
    () => `010-${middle}-${last}`,
    () => `010${middle}${last}`,
    () => `010 ${middle} ${last}`,
    () => `010.${middle}.${last}`,
    () => `010 - ${middle} - ${last}`,
    () => `010)${middle}-${last}`,
    () => `(010) ${middle}-${last}`,
    () => `010_${middle}_${last}`,
    () => `010/${middle}/${last}`,
    () => `010-${middle} ${last}`,
    () => `010${middle}-${last}`,
    () => `+82-10-${middle}-${last}`,
    () => `+82 10-${middle}-${last}`,
    () => `+8210${middle}${last}`,
    () => `82-10-${middle}-${last}`,
    () => `+82)10-${middle}-${last}`,
    () => `+82 (0)10-${middle}-${last}`,
    () => `011-${below(random, 200, 999)}-${last}`,
  ])();
};

const areas = '031 032 033 041 042 043 044 051 052 053 054 055 061 062 063 064'.split(' ');
const landLine = (random: Random) => {
  const area = random.chance(0.4) ? '02' : random.pick(areas);
  const middle = random.chance(0.5) ? String(below(random, 200, 899)) : String(below(random, 2000, 8999));
  const last = random.digits(4);
  return random.pick([
    () => `${area}-${middle}-${last}`,
    () => `${area}-${middle}-${last}`,
    () => `${area}-${middle}-${last}`,
    () => `${area})${middle}-${last}`,
    () => `${area}) ${middle}-${last}`,
    () => `(${area})${middle}-${last}`,
    () => `(${area}) ${middle}-${last}`,
    () => `${area}.${middle}.${last}`,
    () => `${area} ${middle} ${last}`,
    () => `+82-${area.slice(1)}-${middle}-${last}`,
    () => `+82 ${area.slice(1)} ${middle} ${last}`,
    () => `070-${below(random, 4000, 8999)}-${last}`,
    () => `0507-${below(random, 1200, 1499)}-${last}`,
  ])();
};

const foreign = (random: Random) => {
  const area = `${below(random, 2, 9)}${below(random, 0, 8)}${below(random, 2, 9)}`;
  const mid = `${below(random, 2, 9)}${two(random.int(100) || 20)}`;
  const last = random.digits(4);
  return random.pick([
    () => `(${area}) ${mid}-${last}`,
    () => `+1 ${area}-${mid}-${last}`,
    () => `+1-${area}-${mid}-${last}`,
    () => `+1 (${area}) ${mid} ${last}`,
    () => `${area}-${mid}-${last}`,
    () => `+44 7${random.digits(3)} ${below(random, 100, 999)}${random.digits(3)}`,
    () => `+81 90-${below(random, 1000, 9999)}-${last}`,
    () => `+65 9${random.digits(3)} ${last}`,
    () => `+49 151 ${below(random, 1000, 9999)}${last}`,
    () => `+33 6 ${two(random.int(100))} ${two(random.int(100))} ${two(random.int(100))} ${two(random.int(100))}`,
    () => `+86 138 ${random.digits(4)} ${last}`,
  ])();
};

const emailUsers =
  'mincheol.k haneul_92 bora seunghee purchasing webmaster no-reply first.last x y.z.w kim+shop 2bluecats dev_ops1 sales-kr h.o.n.g jh0412 contact.us MinJi.Choi A1'.split(
    ' ',
  );
const emailHosts =
  'naver.com gmail.com hanmail.net daum.net kakao.com icloud.com hotmail.com korea.ac.kr mail.mofa.go.kr lge.co.kr my-shop.store dept.univ.edu foo.co xn--9t4b11yi5a.kr startup.ai team.dev nhn.com Yahoo.COM'.split(
    ' ',
  );
const mail = (random: Random) => `${random.pick(emailUsers)}@${random.pick(emailHosts)}`;

const families =
  '김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 류 전 홍 고 문 손 배 백 허 남 심 노 하 곽 성 차 주 우 민 유 나 진'.split(
    ' ',
  );
const givens =
  '민수 지영 성민 은정 현정 상훈 정훈 미영 진우 지현 수진 경민 태호 윤정 혜원 성진 동욱 세영 재훈 보경 소영 영민 승희 유나 하늘 나래 슬기 다혜 종현 기현 병철 인숙 복순 창호 춘자 점례 시현 이안 도하 서아 로운 태이 아린 하율 지안 라온'.split(
    ' ',
  );
const koreanName = (random: Random) =>
  random.chance(0.04)
    ? random.pick(['남궁', '황보', '제갈', '선우']) + random.pick(givens)
    : random.pick(families) +
      (random.chance(0.05) ? random.pick(['준', '현', '율', '솔', '진', '훈']) : random.pick(givens));

const first =
  'James Mary Robert Patricia Michael Jennifer David Linda William Elizabeth Thomas Sarah Daniel Karen Matthew Nancy Anthony Emily Kevin Amanda Brian Melissa Laura Eric Rachel Hannah Minji Jihoon Seoyeon Dongwook'.split(
    ' ',
  );
const last =
  'Smith Johnson Williams Brown Jones Garcia Miller Davis Martinez Wilson Anderson Taylor Thomas Moore Jackson Lee Thompson White Harris Clark Lewis Robinson Walker Kim Park Choi Nguyen Patel Murphy Sullivan'.split(
    ' ',
  );
const englishName = (random: Random) => {
  const middle = random.chance(0.15) ? ` ${random.char('ABCDEFGHJKLMRST')}.` : '';
  return `${random.pick(first)}${middle} ${random.pick(last)}`;
};

const districts: readonly (readonly [string, readonly string[]])[] = [
  ['서울특별시 송파구', ['잠실동', '문정동', '가락동']],
  ['서울시 서초구', ['반포동', '방배동', '양재동']],
  ['서울 영등포구', ['여의도동', '당산동4가', '문래동3가']],
  ['부산광역시 부산진구', ['부전동', '전포동']],
  ['부산시 남구', ['대연동', '용호동']],
  ['인천광역시 연수구', ['송도동', '옥련동']],
  ['대전 유성구', ['봉명동', '궁동']],
  ['광주광역시 북구', ['용봉동', '운암동']],
  ['울산 남구', ['삼산동', '달동']],
  ['경기도 고양시 일산동구', ['장항동', '백석동']],
  ['경기도 용인시 수지구', ['죽전동', '풍덕천동']],
  ['경기 화성시', ['동탄면 오산리', '향남읍 행정리', '반송동']],
  ['경기도 가평군', ['청평면 청평리', '설악면 신천리']],
  ['강원도 강릉시', ['교동', '포남동']],
  ['충북 음성군', ['금왕읍 무극리']],
  ['충청남도 아산시', ['배방읍 장재리', '탕정면 명암리']],
  ['전라북도 군산시', ['나운동', '수송동']],
  ['전남 여수시', ['학동', '여서동']],
  ['경북 포항시 북구', ['흥해읍 옥성리', '장성동']],
  ['경상남도 창원시 성산구', ['상남동', '중앙동']],
  ['제주특별자치도 제주시', ['애월읍 하귀리', '노형동']],
];
const roads =
  '올림픽로 강변북로 반포대로 국제금융로 경인로 대학로 삼산로 호수로 수지로 동탄대로 향남로 중부대로 상인1로 문화로 학동로 새천년대로 원이대로 시청로12길 백석로33번길 충렬로'.split(
    ' ',
  );
const houses = '현대아파트 래미안 푸르지오 자이 롯데캐슬 대성빌라 한양빌딩 삼성타워 신영오피스텔 e편한세상'.split(' ');
const koreanAddress = (random: Random) => {
  const [district, towns] = random.pick(districts);
  const flat = random.pick([
    '',
    ` ${below(random, 101, 130)}동 ${below(random, 1, 25)}0${below(random, 1, 6)}호`,
    `, ${below(random, 1, 20)}층`,
    `, ${below(random, 101, 999)}호`,
    ` ${random.pick(houses)} ${below(random, 101, 130)}동 ${below(random, 1, 25)}0${below(random, 1, 6)}호`,
    ` (${random.pick(towns)})`,
    ` (${random.pick(towns)}, ${random.pick(houses)})`,
  ]);
  const number = `${below(random, 1, 900)}${random.chance(0.35) ? `-${below(random, 1, 60)}` : ''}`;
  return random.chance(0.6)
    ? `${district} ${random.pick(roads)} ${number}${flat}`
    : `${district} ${random.pick(towns)} ${number}${random.pick(['', '번지', flat.startsWith(' (') ? '' : flat])}`;
};

const streets =
  'Maple Avenue,Oak Street,Park Ave,Sunset Blvd,Elm St,Washington Street,Cedar Lane,Mill Road,Pine Drive,Highland Ct'.split(
    ',',
  );
const towns = [
  'Springfield, IL 62704',
  'Austin, TX 78701',
  'Portland, OR 97205',
  'New York, NY 10027',
  'Columbus, OH 43215',
  'San Jose, CA 95112',
];
const englishAddress = (random: Random) =>
  `${below(random, 2, 9900)} ${random.pick(streets)}${random.pick(['', '', ', Apt 4B', ', Suite 210', ' #12'])}, ${random.pick(towns)}`;

const weights = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];
const resident = (random: Random, alien: boolean) => {
  const year = below(random, 1935, 2025);
  const birth = two(year % 100) + two(below(random, 1, 12)) + two(below(random, 1, 28));
  const sex = (alien ? 5 : 1) + (year >= 2000 ? 2 : 0) + random.int(2);
  const body = `${birth}${sex}${random.digits(5)}`;
  const sum = weights.reduce((so, weight, at) => so + weight * Number(body[at]), 0);
  const digit = random.chance(0.6) ? String(((alien ? 13 : 11) - (sum % 11)) % 10) : random.digits(1);
  const back = `${body.slice(6)}${digit}`;
  return birth + random.pick(['-', '-', '-', '-', '-', '', ' ', ' - ', '~', '–', '.']) + back;
};

const account = (random: Random) =>
  random.pick([
    () => `110-${random.digits(3)}-${random.digits(6)}`,
    () => `${below(random, 1002, 1006)}-${random.digits(3)}-${random.digits(6)}`,
    () => `${below(random, 100000, 999999)}-${random.pick(['01', '02', '04'])}-${random.digits(6)}`,
    () =>
      `${random.pick(['301', '302', '351', '352', '356'])}-${random.digits(4)}-${random.digits(4)}-${random.digits(2)}`,
    () => `3333-${two(below(random, 1, 30))}-${random.digits(7)}`,
    () => `${random.digits(3)}-${random.digits(6)}-${random.pick(['01', '02', '04'])}-${random.digits(3)}`,
    () => `${random.digits(3)}-${random.digits(6)}-${random.digits(5)}`,
    () => `1000-${random.digits(4)}-${random.digits(4)}`,
    () => `${below(random, 100, 999)}${random.digits(9)}`,
    () => `${below(random, 100000, 999999)}${random.digits(8)}`,
    () => `3333${two(below(random, 1, 30))}${random.digits(7)}`,
  ])();

type Make = (random: Random) => string;
/** Value and type of each word in braces. */
export type Values = Readonly<Record<string, readonly [PiiType, Make]>>;
export const values: Values = {
  RRN: ['RRN', (random) => resident(random, false)],
  FRR: ['FRR', (random) => resident(random, true)],
  DL: [
    'DRIVER_LICENSE',
    (random) =>
      random.chance(0.8)
        ? makers.DRIVER_LICENSE(random)
        : makers.DRIVER_LICENSE(random).replaceAll('-', random.pick([' ', ''])),
  ],
  PP: ['PASSPORT', makers.PASSPORT],
  BA: ['BANK_ACCOUNT', account],
  CC: ['CREDIT_CARD', makers.CREDIT_CARD],
  MOB: ['PHONE', mobile],
  LAND: ['PHONE', landLine],
  FPH: ['PHONE', foreign],
  EM: ['EMAIL', mail],
  BRN: ['BUSINESS_NUMBER', makers.BUSINESS_NUMBER],
  CRN: ['CORPORATE_NUMBER', makers.CORPORATE_NUMBER],
  HI: ['HEALTH_INSURANCE', makers.HEALTH_INSURANCE],
  VP: [
    'VEHICLE_PLATE',
    (random) =>
      random.chance(0.1)
        ? `서울 ${below(random, 11, 70)}${random.char('바사아자')} ${below(random, 1000, 9999)}`
        : makers.VEHICLE_PLATE(random),
  ],
  IP: ['IP', makers.IP],
  MAC: ['MAC', makers.MAC],
  IBAN: ['IBAN', makers.IBAN],
  SSN: ['SSN', makers.SSN],
  IMEI: ['IMEI', makers.IMEI],
  CW: ['CRYPTO_WALLET', makers.CRYPTO_WALLET],
  SEC: ['SECRET', makers.SECRET],
  KN: ['PERSON', koreanName],
  EN: ['PERSON', englishName],
  KA: ['ADDRESS', koreanAddress],
  EA: ['ADDRESS', englishAddress],
};
