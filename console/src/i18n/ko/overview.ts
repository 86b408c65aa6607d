export const overview = {
  title: '한눈에 보기',
} as const;
