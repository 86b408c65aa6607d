// A small collection to try things with, written for this purpose: an office that does not exist.

/** A document of the sample. */
export interface SampleDocument {
  readonly name: string;
  readonly text: string;
}

const leave = `# 휴가 규정

## 1. 연차 휴가

직원은 1년에 15일의 연차 휴가를 씁니다. 3년 넘게 일한 직원은 2년마다 하루씩 늘어나며, 25일을 넘지 않습니다.
쓰지 않은 연차는 다음 해 3월 31일까지 쓸 수 있습니다. 반차는 오전과 오후로 나누어 4시간씩 씁니다.

## 2. 경조사 휴가

| 사유 | 일수 | 낼 서류 |
|---|---|---|
| 본인 결혼 | 5일 | 청첩장 또는 혼인관계증명서 |
| 배우자 출산 | 20일 | 출생증명서 |
| 부모 사망 | 5일 | 사망진단서 |
| 조부모 사망 | 3일 | 사망진단서 |

경조사 휴가는 사유가 생긴 날부터 90일 안에 써야 합니다.

## 3. 병가

병가는 1년에 60일까지입니다. 사흘 넘게 이어서 쉬면 의사의 진단서를 냅니다.
감염병으로 쉬는 기간은 병가 일수에 넣지 않습니다.

## 4. 신청

휴가는 사흘 전까지 업무 시스템에서 신청하고 부서장이 승인합니다. 급한 병가는 그날 오전 9시까지 전화로 알리고 나중에 신청합니다.
`;

const travel = `# 출장 여비 기준

## 1. 교통비

철도는 일반실, 버스는 우등 운임을 실제로 낸 만큼 드립니다. 자기 차로 가면 1km에 250원을 드립니다.
같은 시 안에서 4시간 안에 끝나는 출장은 교통비 1만 원만 드립니다.

## 2. 숙박비와 식비

| 구분 | 서울 | 광역시 | 그 밖의 곳 |
|---|---:|---:|---:|
| 숙박비(1박 상한) | 100,000원 | 80,000원 | 70,000원 |
| 식비(1일) | 25,000원 | 25,000원 | 25,000원 |

숙박비는 카드 영수증을 내면 상한까지 드립니다. 가족이나 친구 집에서 묵으면 1박에 20,000원을 드립니다.

## 3. 정산

출장이 끝나고 7일 안에 영수증과 함께 정산서를 냅니다. 7일이 지나면 부서장의 사유서가 필요합니다.
`;

const newcomers = `# A guide for new colleagues

## Your first day

Come to the reception at 9:30. You get a badge, a laptop and the key of your locker. Your mentor shows you the building and has lunch with you.

## Working hours

Core hours are from 10:00 to 16:00. Outside of them you choose when you work, between 7:00 and 20:00. You may work from home on two days a week; your team agrees on the days.

## Equipment

| What | Who to ask | How long it takes |
|---|---|---|
| A second screen | Service desk | 2 days |
| A phone | Service desk | 5 days |
| Access to an archive | Owner of the archive | 1 day |

A lost laptop is reported to the service desk within one hour, day or night, by the number on the back of your badge.

## Training

Everybody takes the course on personal data within the first month. There is a budget of 1,000 euros a year for courses that you choose.
`;

export const sampleDocuments: readonly SampleDocument[] = [
  { name: '휴가 규정.md', text: leave },
  { name: '출장 여비 기준.md', text: travel },
  { name: 'Guide for new colleagues.md', text: newcomers },
];
