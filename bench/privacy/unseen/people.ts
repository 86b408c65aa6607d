import type { Random } from '../random.ts';

// Names and addresses of the second, unseen set: lists of their own.

const families =
  '김이박최정강조윤장임한오서신권황안송류홍전고문손양배백허남심노하곽성차주우구민나진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편'.split(
    '',
  );
const firsts =
  '도하은채민서준우지아수연현진예린시윤태가온해솔다건율서나경혜미정희숙영순자옥선창동규상철병호재성훈기용욱석원봉춘말복'.split(
    '',
  );
const lasts = '윤준우서진아은솔빈율현민호영희자숙순옥철수훈석규태환식근배진경미란연주하온결람별'.split('');
const twos = ['남궁', '선우', '황보', '제갈', '독고', '사공'];

/** A Korean name; `long` may have a family name of two syllables. */
export function koreanName(random: Random): string {
  const family = random.chance(0.04) ? random.pick(twos) : random.pick(families);
  return family + random.pick(firsts) + random.pick(lasts);
}

const given =
  'Olivia Noah Amara Hiro Chloe Mateus Priya Declan Ingrid Samir Beatrice Tomasz Leila Winston Greta Omar Felicity Jun Astrid Rafael Nadia Callum Yuki Imani Otto Rosalind Viktor Marisol Edmund Soraya'.split(
    ' ',
  );
const surnames =
  'Okafor Lindqvist Haverford Delacroix Nakamura Petrov Abernathy Castellano Oyelaran Whitlock Kowalczyk Ferreira Thorne Vasquez Ibrahim Ashworth Novak Sandoval Beaumont Eriksen Mukherjee Pemberton Rinaldi Gallagher Strand Moreau'.split(
    ' ',
  );
export const englishName = (random: Random): string => `${random.pick(given)} ${random.pick(surnames)}`;

const districts = [
  '서울특별시 동대문구',
  '서울 성북구',
  '서울시 금천구',
  '부산광역시 사하구',
  '부산 기장군',
  '대구광역시 달서구',
  '인천광역시 미추홀구',
  '광주광역시 광산구',
  '대전 대덕구',
  '울산 울주군',
  '경기도 의정부시',
  '경기도 성남시 수정구',
  '경기 파주시',
  '강원특별자치도 원주시',
  '충청북도 제천시',
  '충남 천안시 서북구',
  '전북특별자치도 익산시',
  '전라남도 순천시',
  '경북 경주시',
  '경상남도 김해시',
  '제주특별자치도 서귀포시',
  '세종특별자치시',
];
const roads =
  '한빛로 솔밭길 은행나무로 청운대로 새터길 무지개로 금강로 달맞이길 배움로 물레방아길 중앙대로 느티나무길 호반로 산성대로 들꽃로 월드컵로'.split(
    ' ',
  );
const villages = '신길동 봉명동 가좌동 옥련동 두정동 반송동 구월동 장기동 월곡동 상모동 교동 화정동'.split(' ');

export function koreanAddress(random: Random): string {
  const where = random.pick(districts);
  const number = `${1 + random.int(380)}${random.chance(0.3) ? `-${1 + random.int(40)}` : ''}`;
  if (random.chance(0.3)) return `${where} ${random.pick(villages)} ${number}${random.chance(0.4) ? '번지' : ''}`;
  const road = random.pick(roads);
  const by = random.chance(0.25) ? `${road}${1 + random.int(60)}번길` : road;
  const home = random.chance(0.5)
    ? random.pick([
        `, ${101 + random.int(30)}동 ${100 * (1 + random.int(20)) + 1 + random.int(4)}호`,
        ` ${2 + random.int(9)}층`,
        ` (${random.pick(villages)})`,
      ])
    : '';
  return `${where} ${by} ${number}${home}`;
}

const streets =
  'Maple Hawthorne Kingsley Riverside Sycamore Larkspur Dunmore Orchard Beacon Willowbrook Granite Harbor'.split(' ');
const kinds = 'Street Avenue Road Lane Drive Boulevard Court St Ave Rd Blvd'.split(' ');
const towns = [
  ['Portland', 'OR'],
  ['Austin', 'TX'],
  ['Madison', 'WI'],
  ['Tucson', 'AZ'],
  ['Albany', 'NY'],
  ['Boise', 'ID'],
  ['Raleigh', 'NC'],
] as const;
export function englishAddress(random: Random): string {
  const [town, state] = random.pick(towns);
  const flat = random.chance(0.3) ? `, Apt ${1 + random.int(40)}${random.char('ABCD')}` : '';
  return `${10 + random.int(9_800)} ${random.pick(streets)} ${random.pick(kinds)}${flat}, ${town}, ${state} ${10_000 + random.int(89_000)}`;
}
