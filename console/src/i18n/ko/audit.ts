export const audit = {
  title: '감사 로그',
} as const;
