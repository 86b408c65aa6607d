export const settings = {
  title: '설정',
} as const;
