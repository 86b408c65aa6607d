import type { AnswerSet } from '../set.ts';

/** Ten more documents with thirty questions, measured once, when the first set was done with. They lie beside those of the first set. */
export const second: AnswerSet = {
  name: 'second',
  documents: [
    {
      name: '수영장 운영 안내.hwp',
      text: `# 구민체육센터 수영장 안내
강습 시간은 평일 오전 6시, 9시와 오후 7시이며 한 반의 정원은 20명이다.
월 수강료는 성인 66,000원, 초등학생 52,000원이다.
수영모를 쓰지 않으면 물에 들어갈 수 없다.
사물함 열쇠를 잃어버리면 7,000원을 변상한다.
물을 가는 날인 매월 마지막 일요일에는 수영장을 열지 않는다.
강습 접수는 매월 23일부터 센터 누리집에서 한다.`,
    },
    {
      name: '취업규칙.hwpx',
      text: `# 취업규칙
제8조(근로시간) 근로시간은 오전 9시부터 오후 6시까지로 하고, 휴게시간은 정오부터 한 시간으로 한다.
제9조(수습) 새로 채용한 직원의 수습 기간은 3개월로 하며, 이 기간의 급여는 정한 급여의 90퍼센트로 한다.
제15조(징계) 징계는 견책, 감봉, 정직, 해고로 나누며 징계위원회의 의결을 거친다.
제21조(정년) 직원의 정년은 만 60세가 되는 해의 12월 31일로 한다.
제27조(경조금) 부모가 사망한 직원에게는 휴가 5일과 조의금 50만 원을 준다.`,
    },
    {
      name: '지하철 역 정보.xlsx',
      text: `| 역 이름 | 개통 | 승강장 깊이 | 하루 승객 | 출구 수 |
|---|---|---|---|---|
| 은행골역 | 1996년 | 18m | 24,300명 | 6 |
| 솔밭역 | 2004년 | 31m | 11,950명 | 4 |
| 나루터역 | 2015년 | 42m | 8,720명 | 3 |`,
    },
    {
      name: '백신 보관 지침.docx',
      text: `# 백신 보관 지침
## 냉장고
백신은 섭씨 2도에서 8도 사이의 전용 냉장고에 보관한다.
온도는 하루에 두 번, 출근할 때와 퇴근하기 전에 기록한다.
## 정전
정전이 되면 냉장고 문을 열지 말고 보건소 예방접종실(031-900-4410)로 연락한다.
## 폐기
유효 기간이 지난 백신은 빨간 상자에 모아 분기마다 위탁 업체에 넘긴다.
## 담당
보관 책임자는 간호사 서은채이며, 부재 시 양지훈 주임이 대신한다.`,
    },
    {
      name: '캠핑장 요금.md',
      text: `# 별빛캠핑장
| 자리 | 평일 | 주말 | 정원 |
|---|---|---|---|
| 데크 | 30,000원 | 45,000원 | 4명 |
| 오토캠핑 | 40,000원 | 60,000원 | 6명 |
| 글램핑 | 110,000원 | 160,000원 | 4명 |

체크인은 오후 2시, 체크아웃은 오전 11시이다.
이용일 5일 전에 취소하면 전액을 돌려주고, 하루 전에는 30퍼센트만 돌려준다.
장작은 매점에서 한 망에 12,000원에 판다.`,
    },
    {
      name: 'bicycle-insurance.pdf',
      text: `# Bicycle insurance
The policy covers theft, vandalism and accidents in all of Europe.
The yearly premium is 84 euros for a bicycle worth up to 2,000 euros.
A theft has to be reported to the police within 48 hours.
In each case the insured person bears the first 75 euros of the damage.
Racing is not covered, and neither are electric scooters.
Claims are handled by Beatriz Fonseca, claims@rueda.example.`,
    },
    {
      name: 'observatory.docx',
      text: `# Visiting the Pine Hill Observatory
## Getting here
The observatory stands at an altitude of 1,430 metres, 12 km north of Kelso. Bus 61 stops at the gate.
## Guided tours
Guided tours take place on Friday and Saturday evenings and last 75 minutes. Children under 10 enter free.
## The telescope
The main telescope was built in 1968 by Hargreaves and Sons. Its mirror is 1.5 metres wide.
## What to bring
Bring warm clothes and a red torch. White light is not permitted on the terrace.`,
    },
    {
      name: 'printer-fleet.xlsx',
      text: `| Printer | Location | Pages a minute | Toner | Serviced by |
|---|---|---|---|---|
| PR-11 | Reception | 22 | TX-40 | Lena Vogt |
| PR-12 | Archive | 35 | TX-55 | Marco Rossi |
| PR-13 | Warehouse | 48 | TX-55 | Lena Vogt |`,
    },
    {
      name: 'grant-programme.html',
      text: `# Small grants for community gardens
Grants range from 500 to 6,000 dollars and are paid in two parts.
Applications open on 2 May and close on 17 June.
Gardens need at least eight members and a written agreement with the owner of the land.
The jury has five members and is chaired by Naomi Feldman.
Last year 38 of 112 applications were successful.
The money may not be spent on salaries.`,
    },
    {
      name: 'water-quality.md',
      text: `# Water quality report 2025
## Hardness
The water of the eastern district has a hardness of 14 degrees, that of the western district 9 degrees.
## Nitrate
Nitrate was measured at 11 milligrams per litre; the limit is 50.
## Sources
Two thirds of the water comes from Lake Orrin, the rest from six wells.
## Contact
Questions are answered by the laboratory at 0400 221 870.`,
    },
  ],
  questions: [
    ['성인의 수영 강습료는 한 달에 얼마입니까?', /66,000원/, '수영장 운영 안내.hwp'],
    ['수영 강습 신청은 며칠부터 할 수 있나요?', /23일/, '수영장 운영 안내.hwp'],
    ['사물함 열쇠를 분실하면 어떻게 되나요?', /7,000원/, '수영장 운영 안내.hwp'],
    ['수영장은 언제 쉬나요?', /마지막 일요일/, '수영장 운영 안내.hwp'],
    ['수습 기간은 얼마 동안입니까?', /3개월/, '취업규칙.hwpx'],
    ['정년은 몇 살인가요?', /60세/, '취업규칙.hwpx'],
    ['징계에는 어떤 종류가 있습니까?', /견책, 감봉, 정직, 해고/, '취업규칙.hwpx'],
    ['부모상을 당하면 조의금을 얼마 받나요?', /50만/, '취업규칙.hwpx'],
    ['나루터역 승강장의 깊이는?', /42m/, '지하철 역 정보.xlsx'],
    ['솔밭역은 언제 개통했나요?', /2004년/, '지하철 역 정보.xlsx'],
    ['은행골역은 하루에 몇 명이 이용하나요?', /24,300명/, '지하철 역 정보.xlsx'],
    ['백신은 몇 도에서 보관해야 하나요?', /2도에서 8도/, '백신 보관 지침.docx'],
    ['정전이 되면 어디로 연락합니까?', /900-4410/, '백신 보관 지침.docx'],
    ['백신 보관을 책임지는 사람은 누구입니까?', /서은채/, '백신 보관 지침.docx'],
    ['글램핑의 주말 요금은?', /160,000원/, '캠핑장 요금.md'],
    ['캠핑장 체크인 시간은 몇 시예요?', /오후 2시/, '캠핑장 요금.md'],
    ['캠핑장에서 장작을 살 수 있나요?', /12,000원/, '캠핑장 요금.md'],
    ['How much is the yearly premium of the bicycle insurance?', /84 euros/, 'bicycle-insurance.pdf'],
    ['How soon must a stolen bicycle be reported to the police?', /48 hours/, 'bicycle-insurance.pdf'],
    ['Are electric scooters insured?', /neither are electric scooters/, 'bicycle-insurance.pdf'],
    ['Who built the main telescope?', /Hargreaves/, 'observatory.docx'],
    ['How long is a guided tour?', /75 minutes/, 'observatory.docx'],
    ['Which bus goes to the observatory?', /61/, 'observatory.docx'],
    ['Which toner does the printer in the archive need?', /TX-55/, 'printer-fleet.xlsx'],
    ['Who services the printer PR-11?', /Lena Vogt/, 'printer-fleet.xlsx'],
    ['Until when can one apply for a garden grant?', /17 June/, 'grant-programme.html'],
    ['Who chairs the jury?', /Naomi Feldman/, 'grant-programme.html'],
    ['How many members must a garden have?', /eight/, 'grant-programme.html'],
    ['How hard is the water in the western district?', /9 degrees/, 'water-quality.md'],
    ['Where does most of the water come from?', /Lake Orrin/, 'water-quality.md'],
  ],
  unanswerable: [
    '수영 강사의 이름은 무엇인가요?',
    '직원의 점심값은 얼마까지 지원됩니까?',
    '달빛역의 출구는 몇 개입니까?',
    '백신의 가격은 얼마입니까?',
    '캠핑장의 주소를 알려 주세요.',
    'What is the phone number of the observatory?',
    'How much did the main telescope cost?',
    'Which printer stands in the canteen?',
    'Who founded the community gardens?',
    'How deep is Lake Orrin?',
  ],
};
