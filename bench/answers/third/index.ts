import type { AnswerSet } from '../set.ts';

/** Ten documents again with thirty questions, written when the second set had shown what was wrong, and measured once. */
export const third: AnswerSet = {
  name: 'third',
  documents: [
    {
      name: '여권 발급 안내.hwp',
      text: `# 여권 발급 안내
여권은 구청 1층 민원여권과에서 신청하며 처리에는 근무일로 4일이 걸린다.
10년 복수여권의 수수료는 50,000원이고 단수여권은 15,000원이다.
신청할 때에는 신분증과 6개월 안에 찍은 사진 한 장을 낸다.
미성년자는 법정대리인의 동의서를 함께 내야 한다.
찾을 때에는 본인이 오거나 위임장을 가진 대리인이 올 수 있다.
여권과는 매주 목요일에 오후 8시까지 연장 근무를 한다.`,
    },
    {
      name: '하도급 계약.hwpx',
      text: `# 도장 공사 하도급 계약서
원사업자 태산건설 주식회사와 수급사업자 (주)한결도장은 아래와 같이 계약을 맺는다.
공사명: 별내초등학교 외벽 도장 공사
공사 기간: 2026년 7월 20일부터 8월 18일까지
계약 금액: 84,700,000원(부가가치세 별도)
선급금: 계약 금액의 20퍼센트
현장 대리인: 문태식
안전 장비는 수급사업자가 마련하고, 도료는 원사업자가 제공한다.
비가 이틀 넘게 이어지면 공사 기간을 그만큼 늘릴 수 있다.`,
    },
    {
      name: '도서 판매 현황.xlsx',
      text: `| 도서명 | 저자 | 출간일 | 정가 | 판매 부수 |
|---|---|---|---|---|
| 바람의 문법 | 서지안 | 2023-04-11 | 16,800 | 12,430 |
| 느린 항해 | 고은설 | 2024-09-02 | 18,000 | 8,915 |
| 겨울 정원사 | 민도현 | 2025-02-27 | 21,500 | 3,078 |`,
    },
    {
      name: '감염병 대응 지침.docx',
      text: `# 감염병 대응 지침
## 1. 신고
환자를 진단한 의사는 24시간 안에 관할 보건소에 신고한다.
## 2. 격리
확진자는 증상이 시작된 날부터 5일 동안 격리한다.
격리 병실의 압력은 복도보다 낮게 유지한다.
## 3. 접촉자
접촉자는 하루에 한 번 체온을 재어 앱에 적는다. 체온이 37.5도를 넘으면 상황실 1688-2400으로 전화한다.
## 4. 소독
손잡이와 스위치는 두 시간마다 알코올로 닦는다.
대응팀장은 감염관리실 우정민 교수가 맡는다.`,
    },
    {
      name: '워크숍 일정.md',
      text: `# 상반기 워크숍
| 시각 | 내용 | 진행 | 장소 |
|---|---|---|---|
| 09:30 | 여는 말 | 강현우 이사 | 누리홀 |
| 10:00 | 사업 계획 발표 | 전략팀 | 누리홀 |
| 13:30 | 조별 토론 | 조장 | 세미나실 2 |
| 17:00 | 마무리 | 홍미래 과장 | 누리홀 |

워크숍은 6월 12일 강릉연수원에서 열린다.
버스는 오전 6시 40분에 본사 정문에서 떠난다.
점심은 도시락이며 채식을 원하는 사람은 6월 5일까지 총무팀에 알린다.`,
    },
    {
      name: 'car-rental.pdf',
      text: `# Car rental terms
Drivers must be at least 23 years old and have held a licence for two years.
The daily price of a compact car is 41 euros, including 250 kilometres.
Each further kilometre is charged at 19 cents.
Cars are returned with a full tank; otherwise a refuelling fee of 30 euros applies.
Smoking in the car is prohibited.
In case of a breakdown call the hotline at +49 30 5550 7788.
Bookings can be cancelled without charge up to 36 hours before pick-up.`,
    },
    {
      name: 'board-report.docx',
      text: `# Report to the board
## Staff
At the end of the year the foundation employed 57 people, nine more than the year before.
The new head of fundraising is Henrik Aalto; he started on 4 August.
## Finances
Donations came to 3.6 million dollars. The largest gift, 420,000 dollars, was made by the Marlow Trust.
## Projects
The well in Tamale was finished in March and supplies 2,100 people.
The school in Lindi was delayed because the road was flooded.
## Outlook
The annual meeting will be held in Utrecht on 9 May.`,
    },
    {
      name: 'sensor-list.csv',
      text: `| Sensor | Room | Measures | Interval | Battery |
|---|---|---|---|---|
| S-201 | Cold store | temperature | 30 s | 2031 |
| S-202 | Boiler room | pressure | 5 s | 2028 |
| S-203 | Greenhouse | humidity | 10 min | 2030 |`,
    },
    {
      name: 'style-guide.html',
      text: `# Style guide for editors
Articles have between 600 and 900 words.
Headlines are written in sentence case and never end with a full stop.
Numbers up to twelve are spelled out, larger ones are written in figures.
Photographs need a credit and a caption of at most 20 words.
The final text is checked by the copy desk, which is led by Rosa Delgado.
Corrections are published on page 2 on the following day.`,
    },
    {
      name: 'trail-guide.txt',
      text: `The Heron Trail
The trail is 17 kilometres long and takes about five hours.
It starts at the car park in Elmsford and ends at the ferry landing.
The highest point is Crow Rock at 612 metres.
Dogs are welcome but must be kept on a lead between March and July.
Drinking water is available at the forester's hut only.
The wooden bridge over the Sill is closed for repairs until October.`,
    },
  ],
  questions: [
    ['여권은 어디에서 신청하나요?', /민원여권과/, '여권 발급 안내.hwp'],
    ['여권이 나오는 데 며칠 걸려요?', /4일/, '여권 발급 안내.hwp'],
    ['단수여권 수수료는 얼마입니까?', /15,000원/, '여권 발급 안내.hwp'],
    ['미성년자는 무엇을 더 내야 하나요?', /동의서/, '여권 발급 안내.hwp'],
    ['여권과가 늦게까지 여는 요일은?', /목요일/, '여권 발급 안내.hwp'],
    ['외벽 도장 공사는 언제 끝나나요?', /8월 18일/, '하도급 계약.hwpx'],
    ['도장 공사의 현장 대리인은 누구입니까?', /문태식/, '하도급 계약.hwpx'],
    ['선급금은 몇 퍼센트인가요?', /20퍼센트/, '하도급 계약.hwpx'],
    ['도료는 누가 제공합니까?', /원사업자/, '하도급 계약.hwpx'],
    ['느린 항해의 저자는 누구인가요?', /고은설/, '도서 판매 현황.xlsx'],
    ['겨울 정원사의 정가는?', /21,500/, '도서 판매 현황.xlsx'],
    ['바람의 문법은 몇 부 팔렸나요?', /12,430/, '도서 판매 현황.xlsx'],
    ['의사는 몇 시간 안에 신고해야 합니까?', /24시간/, '감염병 대응 지침.docx'],
    ['확진자는 얼마 동안 격리하나요?', /5일/, '감염병 대응 지침.docx'],
    ['손잡이는 얼마나 자주 닦아야 합니까?', /두 시간마다/, '감염병 대응 지침.docx'],
    ['감염병 대응팀장이 누구인지 알려 주세요.', /우정민/, '감염병 대응 지침.docx'],
    ['조별 토론은 어디에서 합니까?', /세미나실 2/, '워크숍 일정.md'],
    ['워크숍 버스는 몇 시에 출발하나요?', /6시 40분/, '워크숍 일정.md'],
    ['How old must a driver be?', /23 years/, 'car-rental.pdf'],
    ['What does each further kilometre cost?', /19 cents/, 'car-rental.pdf'],
    ['May I smoke in the rental car?', /Smoking in the car is prohibited/, 'car-rental.pdf'],
    ['Who is the new head of fundraising?', /Henrik Aalto/, 'board-report.docx'],
    ['How many people does the foundation employ?', /57/, 'board-report.docx'],
    ['Why was the school in Lindi delayed?', /flooded/, 'board-report.docx'],
    ['Where will the annual meeting be held?', /Utrecht/, 'board-report.docx'],
    ['What does sensor S-202 measure?', /pressure/, 'sensor-list.csv'],
    ['How many words should an article have?', /600 and 900/, 'style-guide.html'],
    ['Who leads the copy desk?', /Rosa Delgado/, 'style-guide.html'],
    ['How long is the Heron Trail?', /17 kilometres/, 'trail-guide.txt'],
    ['Where does the trail start?', /Elmsford/, 'trail-guide.txt'],
  ],
  unanswerable: [
    '민원여권과의 전화번호는 무엇입니까?',
    '관용여권의 수수료는 얼마인가요?',
    '공사 현장의 인부는 몇 명입니까?',
    '봄날의 서재는 몇 부 팔렸나요?',
    '워크숍의 숙박비는 얼마입니까?',
    '우정민 교수의 나이는 몇 살인가요?',
    '대한민국의 수도는 어디인가요?',
    '느린 항해의 출판사는 어디입니까?',
    'What colour is the rental car?',
    'Who wrote the style guide?',
    'How much does sensor S-203 cost?',
    'When was the Marlow Trust founded?',
    'Which animals live along the Heron Trail?',
    'What is the password of the wireless network?',
    'How high is the wooden bridge?',
  ],
};
