export const setup = {
  title: '처음 설정',
} as const;
