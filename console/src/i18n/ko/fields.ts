/** What is wrong with a field of a form. */
export const fields = {
  required: '꼭 필요한 값입니다.',
  invalid: '올바르지 않은 값입니다.',
  too_short: '{{minimum}}자 이상이어야 합니다.',
  too_long: '{{maximum}}자까지 쓸 수 있습니다.',
  too_low: '{{minimum}} 이상이어야 합니다.',
  too_high: '{{maximum}} 이하여야 합니다.',
  choose_one: '하나 이상 골라 주세요.',
  email: '이메일 주소를 써 주세요.',
  url: 'http:// 또는 https://로 시작하는 주소를 써 주세요.',
} as const;
