export const usage = {
  title: '사용량',
} as const;
